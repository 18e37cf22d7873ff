import type { ReactNode } from 'react';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Dialog } from './dialog';
import { Note } from './states';
import { t } from '../language/translate';

/** Shows a secret that the service returns only once. */
export function SecretOnce({
  secret,
  title,
  label,
  children,
  onClose,
}: {
  /** Null: the dialog is closed. */
  secret: string | null;
  title: string;
  /** The kind of secret, such as “API key”. */
  label: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('I have copied it')}
        </Button>
      }
    >
      <Note tone="warning">{t('Copy it now and store it safely. It will not be shown again.')}</Note>
      <div className="secret">
        <code aria-label={label}>{secret}</code>
        <CopyButton text={secret ?? ''} label={t('Copy: {label}', { label })} />
      </div>
      {children}
    </Dialog>
  );
}
