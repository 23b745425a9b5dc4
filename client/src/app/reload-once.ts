import { stored } from '~/ui/stored';

declare global {
  interface Window {
    /** A link is being followed; public/early.js notes it. */
    isLeft?: boolean;
  }
}

const reloadedFor = stored('minimal:reloaded-for');

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
 * Nothing is missing where a link was followed before all had come: Firefox then ends what is on its way as if it had
 * failed, and a reload would take the place of where the link leads.
 */
export function reloadForMissingChunks(build: string, reload = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', () => {
    if (window.isLeft) return;
    void serverAnswers().then((answers) => {
      if (!answers || window.isLeft || reloadedFor.read() === build) return;
      reloadedFor.write(build);
      reload();
    });
  });
}
