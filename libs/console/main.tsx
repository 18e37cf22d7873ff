import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { preloadPage } from './app/preload';
import { BASE, Console } from './app/console';
import { newQueryClient } from './app/query-client';

const queries = newQueryClient();
preloadPage(queries, location.pathname.slice(BASE.length) || '/');
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Console queries={queries} />
  </StrictMode>,
);
