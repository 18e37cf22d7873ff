import { startLanguage } from './language/language';
import { t } from './language/translate';

void startLanguage()
  .then(() => import('./app/start'))
  .then(({ start }) => start())
  .catch(() => {
    document.getElementById('start')?.remove();
    document.getElementById('root')!.textContent = t('The console could not be loaded. Reload this page.');
  });
