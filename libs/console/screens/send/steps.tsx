import { type ReactNode, useId } from 'react';
import { Icon } from '../../ui/icon';

/** The steps of a send from top to bottom, with the phone at their side. */
export function Steps({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className="send-steps" data-side={side ? true : undefined}>
      <div className="send-main">{children}</div>
      {side && (
        <aside className="send-side" aria-label="The message">
          {side}
        </aside>
      )}
    </div>
  );
}

/** One of them; `waits` says what has to be done before it. */
export function Step({
  number,
  title,
  done = false,
  waits = false,
  children,
}: {
  number: number;
  title: string;
  done?: boolean;
  waits?: string | false;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="send-step" aria-labelledby={id} data-waits={waits !== false || undefined}>
      <h2 id={id} className="send-step-title">
        <span className="send-step-number" data-done={done || undefined} aria-hidden="true">
          {done ? <Icon name="check" size={14} /> : number}
        </span>
        {title}
      </h2>
      <div className="send-step-body">{waits === false ? children : <p className="hint">{waits}</p>}</div>
    </section>
  );
}
