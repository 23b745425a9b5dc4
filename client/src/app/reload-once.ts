const KEY = 'minimal:reloaded-for';

/** Whether the server can be reached: without it a reload would end on the browser's own error page. */
async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch('/livez', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/**
 * A chunk that cannot be loaded most often belongs to a build that the server has replaced: reloads the page, once for
 * each build, and only while the server answers. Otherwise the error boundary around the part has its say.
 */
export function reloadForMissingChunks(build: string, reload = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', () => {
    void serverAnswers().then((answers) => {
      if (!answers || sessionStorage.getItem(KEY) === build) return;
      sessionStorage.setItem(KEY, build);
      reload();
    });
  });
}
