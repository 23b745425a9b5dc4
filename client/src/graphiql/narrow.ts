/** Whether there is room for one pane only; workbench.css has the same width. */
export const isNarrow = () => window.matchMedia('(max-width: 56rem)').matches;
