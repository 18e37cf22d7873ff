import { type ReactNode, useId } from 'react';
import { t } from '../../language/translate';
import { Icon } from '../../ui/icon';

const PREVIEW = 'send-preview';

/** Shows the preview, which a phone has below the steps. */
export function showPreview(): void {
  const preview = document.getElementById(PREVIEW);
  preview?.focus({ preventScroll: true });
  preview?.scrollIntoView();
}

/** The steps of a send, with the message preview beside them. */
export function Steps({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className="send-steps" data-side={side ? true : undefined}>
      <div className="send-main">{children}</div>
      {side && (
        <aside id={PREVIEW} tabIndex={-1} className="send-side" aria-label={t('Message preview')}>
          {side}
        </aside>
      )}
    </div>
  );
}

/** One step; `waits` names the step it depends on. */
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
