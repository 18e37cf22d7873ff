import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon';

/** Props of a button. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary`: the main action of the screen. `danger`: irreversible. `quiet`: secondary. */
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  small?: boolean;
  icon?: IconName;
  /** Shows a spinner, keeps the focus and ignores clicks. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button; ignores clicks while `busy`. */
export function Button({
  variant = 'plain',
  small,
  icon,
  busy,
  onClick,
  children,
  className,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={`button ${className ?? ''}`}
      data-variant={variant}
      data-small={small || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** An icon-only button; `label` is its accessible name and tooltip. */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & Omit<ButtonProps, 'children'>) {
  return (
    <Button variant="quiet" {...rest} aria-label={label} title={label} className="icon-button">
      <Icon name={icon} size={18} />
    </Button>
  );
}
