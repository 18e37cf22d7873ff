import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
