import { type ReactNode, useId } from 'react';

/** A part of a screen with a heading of its own. */
export function Panel({
  title,
  actions,
  children,
  flush = false,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  /** What is inside reaches to the edges, as tables do. */
  flush?: boolean;
}) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id} data-flush={flush || undefined}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </div>
      <div className="panel-body">{children}</div>
    </section>
  );
}

/** Facts with their words, one line each. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

/** One of them. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
