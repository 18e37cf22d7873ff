import type { ReactNode } from 'react';
import { Link as RoutedLink } from 'wouter';
import { Icon, type IconName } from './icon';

/** A link to a screen; `to` is the path below `/console` and starts with a slash. */
export function Link({ to, children, className }: { to: string; children: ReactNode; className?: string }) {
  return (
    <RoutedLink to={to} className={className ?? 'link'}>
      {children}
    </RoutedLink>
  );
}

/** A link styled as a button. */
export function ButtonLink({
  to,
  children,
  variant = 'plain',
  icon,
}: {
  to: string;
  children: ReactNode;
  variant?: 'primary' | 'plain' | 'quiet';
  icon?: IconName;
}) {
  return (
    <RoutedLink to={to} className="button" data-variant={variant}>
      {icon && <Icon name={icon} />}
      {children}
    </RoutedLink>
  );
}
