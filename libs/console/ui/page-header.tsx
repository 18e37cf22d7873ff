import { type ReactNode, useEffect, useRef } from 'react';
import { hasNavigated } from './navigation';

/** The header of a screen: document title, heading (focused after a navigation) and actions. One per screen. */
export function PageHeader({
  title,
  lead,
  asOf,
  actions,
}: {
  title: string;
  lead?: ReactNode;
  asOf?: ReactNode;
  actions?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="page-header">
      <title>{`${title} · Messaging console`}</title>
      <div className="page-header-words">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {lead && <div className="lead">{lead}</div>}
      </div>
      <div className="page-header-side">
        {asOf}
        {actions && <div className="row">{actions}</div>}
      </div>
    </header>
  );
}
