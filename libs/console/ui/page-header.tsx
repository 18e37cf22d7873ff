import { type ReactNode, useEffect, useRef } from 'react';
import { wasNavigated } from './navigation';

/** The head of a screen: its heading, which gets the focus after a navigation, and what can be done. Each screen has one. */
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
    if (wasNavigated()) heading.current?.focus({ preventScroll: true });
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
