import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { hasNavigated } from './navigation';

/** What document titles begin with, such as “(3) ” for unread messages. */
export const TitlePrefix = createContext('');

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
  const prefix = useContext(TitlePrefix);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A screen may load while the search is already open over it.
    const isTyping = document.activeElement?.closest('[role=dialog]');
    if (hasNavigated() && !isTyping) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="page-header">
      <title>{`${prefix}${title} · Messaging console`}</title>
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
