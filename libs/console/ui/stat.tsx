import type { ReactNode } from 'react';
import { Link } from './link';

/** A figure with its label; `to` links to the items it counts. */
export function Stat({
  label,
  value,
  hint,
  tone,
  to,
}: {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  tone?: 'warning' | 'danger';
  to?: string;
}) {
  return (
    <div className="stat" data-tone={tone}>
      <dt>{to ? <Link to={to}>{label}</Link> : label}</dt>
      <dd className="stat-value">{value}</dd>
      {hint && <dd className="stat-hint">{hint}</dd>}
    </div>
  );
}

/** A row of figures. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="stats">{children}</dl>;
}
