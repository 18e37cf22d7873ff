import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import type { IconName } from './icon';
import { ErrorLine } from './states';

/** A dialog with one action and a way out: fields, or a question. Enter in a field acts, too; what was refused stands above the buttons. */
export function FormDialog({
  open = true,
  title,
  lead,
  wide,
  action,
  icon,
  danger = false,
  cancel = 'Cancel',
  disabled,
  work,
  error = work.error,
  onSubmit,
  onClose,
  children,
}: {
  open?: boolean;
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  /** What the button that acts says. */
  action: ReactNode;
  icon?: IconName;
  /** It cannot be undone. */
  danger?: boolean;
  /** What the way out says. */
  cancel?: ReactNode;
  /** Something is missing yet. */
  disabled?: boolean;
  /** What acting is, such as a mutation. */
  work: { isPending: boolean; error: unknown };
  /** What of `work.error` no field shows; null: all of it stands beside fields. */
  error?: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title} lead={lead} wide={wide}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {error !== null && error !== undefined && <ErrorLine error={error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            icon={icon}
            disabled={disabled}
            busy={work.isPending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
