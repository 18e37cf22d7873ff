import { Dialog as Parts } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button';
import { Input } from './field';
import { rich, t } from '../language/translate';

/** A modal dialog. Escape and the close button close it; the focus returns to where it was, unless `keepsFocus`. */
export function Dialog({
  open,
  onClose,
  title,
  lead,
  children,
  footer,
  wide = false,
  keepsFocus = false,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** The buttons, the main action last. */
  footer?: ReactNode;
  wide?: boolean;
  /** The screen that is shown next moves the focus. */
  keepsFocus?: boolean;
}) {
  return (
    <Parts.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog" data-wide={wide || undefined} finalFocus={keepsFocus ? false : undefined}>
          <Parts.Title className="dialog-title">{title}</Parts.Title>
          {lead && (
            <Parts.Description className="dialog-lead" render={<div />}>
              {lead}
            </Parts.Description>
          )}
          {children && <div className="dialog-body">{children}</div>}
          {footer && <div className="dialog-foot">{footer}</div>}
          {/* Last, so that the initial focus is on the content. */}
          <div className="dialog-close">
            <Parts.Close render={<IconButton icon="close" label={t('Close')} />} />
          </div>
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  );
}

/**
 * Requires typing `expected`, such as the recipient count, before a large or irreversible action. Calls `onReady` with whether
 * the text matches.
 */
export function ConfirmByTyping({
  expected,
  label,
  onReady,
}: {
  expected: string;
  label: string;
  onReady: (ready: boolean) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Input
      label={label}
      hint={rich('Type <b>{expected}</b> to confirm.', { expected, b: (text) => <strong>{text}</strong> })}
      value={typed}
      autoComplete="off"
      onChange={(text) => {
        setTyped(text);
        onReady(plain(text) === plain(expected));
      }}
    />
  );
}

/** Ignores case, spaces, digit separators and the plus of a phone number: 1,000 equals 1000. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/[\s,.'’٬+]/g, '')
    .toLowerCase();
}
