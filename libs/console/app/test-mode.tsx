import { t } from '../language/translate';

/** Says that messages go to a sandbox, by the attribute that the service then adds to the page; otherwise nothing. */
export function TestMode({ short }: { short?: boolean }) {
  if (!document.documentElement.hasAttribute('data-sandbox')) return null;
  return (
    <span className="badge test-mode" data-tone="warning">
      {short ? t('Test mode') : t('Test mode: messages reach nobody')}
    </span>
  );
}
