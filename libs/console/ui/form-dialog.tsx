import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import type { IconName } from './icon';
import { ErrorLine } from './states';
import { t } from '../language/translate';

/** A form or confirmation dialog with one action and a cancel button. Enter submits; errors are shown above the buttons. */
export function FormDialog({
  open = true,
  title,
  lead,
  wide,
  action,
  icon,
  danger = false,
  leaves = false,
  cancel = t('Cancel'),
  disabled,
  mutation,
  error = mutation.error,
  onSubmit,
  onClose,
  children,
}: {
  open?: boolean;
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  /** Label of the submit button. */
  action: ReactNode;
  icon?: IconName;
  /** The action is irreversible. */
  danger?: boolean;
  /** The action leads to another screen or place, which takes the focus. */
  leaves?: boolean;
  /** Label of the cancel button. */
  cancel?: ReactNode;
  /** The form is incomplete. */
  disabled?: boolean;
  /** State of the submission. */
  mutation: { isPending: boolean; error: unknown };
  /** The error to show above the buttons, by default `mutation.error`; null: the fields show it. */
  error?: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      lead={lead}
      wide={wide}
      // Leaving unmounts the dialog before its mutation has ended.
      keepsFocus={leaves && mutation.isPending}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // A form around the dialog is not submitted.
          event.stopPropagation();
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
            busy={mutation.isPending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
