import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BASE, Console } from './console';
import { preloadPage } from './preload';
import { newQueryClient } from './query-client';

/** Renders the console. */
export function start(): void {
  const queries = newQueryClient();
  preloadPage(queries, location.pathname.slice(BASE.length) || '/');
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Console queries={queries} />
    </StrictMode>,
  );
}
