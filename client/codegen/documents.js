// All generated modules, for `manifest.js`.
export const modules = import.meta.glob('../src/**/*.generated.ts', { eager: true });
