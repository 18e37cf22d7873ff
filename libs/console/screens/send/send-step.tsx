import { useState } from 'react';
import { Button } from '../../ui/button';
import { count, counted } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { ConfirmSend } from './confirm-send';
import { problemOf, type SendOptions } from './send-options';

/** The last step: how many people get it, and the button that asks once more. */
export function SendStep({
  people,
  templateName,
  options,
  checking,
  stale = false,
  onCheckAgain,
  sending,
  sent,
  error,
  onSend,
}: {
  /** How many people get it; absent: it is not known yet. */
  people: number | undefined;
  templateName: string;
  options: SendOptions;
  /** The check still runs: what it says may change. */
  checking: boolean;
  /** The options have changed since the check. */
  stale?: boolean;
  onCheckAgain?: () => void;
  sending: boolean;
  sent: number | null;
  error: unknown;
  onSend: () => void;
}) {
  const now = useNow();
  const [asks, setAsks] = useState(false);
  if (people === undefined) return null;
  const problem = people === 0 ? 'Nobody would get a message.' : problemOf(options, now);
  return (
    <div className="send-bar">
      <div>
        <strong>{counted(people, 'person', 'people')}</strong> will get <span dir="auto">{templateName}</span>
      </div>
      {stale && onCheckAgain && (
        <Button icon="retry" onClick={onCheckAgain}>
          Check again for the new times
        </Button>
      )}
      <Button variant="primary" icon="send" disabled={problem !== null || checking} onClick={() => setAsks(true)}>
        {options.hold ? 'Make the job…' : `Send to ${count(people)}…`}
      </Button>
      {problem && <Note tone="warning">{problem}</Note>}
      <ConfirmSend
        open={asks}
        people={people}
        templateName={templateName}
        options={options}
        sending={sending}
        sent={sent}
        error={error}
        onSend={onSend}
        onClose={() => !sending && setAsks(false)}
      />
    </div>
  );
}
