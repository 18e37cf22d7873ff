import { Dialog as Parts } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button';
import { Input } from './field';

/** A decision, above everything else. Escape and the cross close it; the focus returns to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  lead,
  children,
  footer,
  wide = false,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** The buttons, the one that does it last. */
  footer?: ReactNode;
  wide?: boolean;
}) {
  return (
    <Parts.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Parts.Portal>
        <Parts.Backdrop className="backdrop" />
        <Parts.Popup className="dialog" data-wide={wide || undefined}>
          <Parts.Title className="dialog-title">{title}</Parts.Title>
          {lead && (
            <Parts.Description className="dialog-lead" render={<div />}>
              {lead}
            </Parts.Description>
          )}
          {children && <div className="dialog-body">{children}</div>}
          {footer && <div className="dialog-foot">{footer}</div>}
          {/* Last, so that the focus begins with what is asked. */}
          <div className="dialog-close">
            <Parts.Close render={<IconButton icon="close" label="Close" />} />
          </div>
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  );
}

/**
 * Asks to type a word, such as the count of recipients, before something large or final. `onReady` says whether it stands there.
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
      hint={
        <>
          Type <strong>{expected}</strong> to confirm.
        </>
      }
      value={typed}
      autoComplete="off"
      onChange={(text) => {
        setTyped(text);
        onReady(plain(text) === plain(expected));
      }}
    />
  );
}

/** 1,000 and 1000 are the same count. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/[\s,.']/g, '')
    .toLowerCase();
}
