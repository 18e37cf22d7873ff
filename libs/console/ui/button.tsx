import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon';

/** What a button looks like and does. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary`: the one thing to do here. `danger`: what cannot be undone. `quiet`: beside something else. */
  variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  small?: boolean;
  icon?: IconName;
  /** Its work runs: it shows that, keeps the focus, and further clicks do nothing. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button. `busy` keeps a second click from doing the work twice. */
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

/** A button that only an icon shows; `label` names it for everybody else. */
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
