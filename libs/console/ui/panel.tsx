import { type ReactNode, useId } from 'react';

/** A section of a screen with its own heading. */
export function Panel({
  title,
  actions,
  children,
  flush = false,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Removes the padding, for tables. */
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

/** A list of labelled facts, one per line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

/** One labelled fact. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
