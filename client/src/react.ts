/** In a file with React itself (vite.config.ts), so that React runs there, in a task of its own, and not in the shop's. */
export { createRoot, hydrateRoot } from 'react-dom/client';
