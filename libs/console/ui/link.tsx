import type { ReactNode } from 'react';
import { Link as RoutedLink } from 'wouter';
import { Icon, type IconName } from './icon';

/** A link to a screen of the console; `to` begins with a slash, without `/console`. */
export function Link({ to, children, className }: { to: string; children: ReactNode; className?: string }) {
  return (
    <RoutedLink to={to} className={className ?? 'link'}>
      {children}
    </RoutedLink>
  );
}

/** A link that looks like a button: it leads to where something is done. */
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
