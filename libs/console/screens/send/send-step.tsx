import { useState } from 'react';
import { Button } from '../../ui/button';
import { count, counted } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { ConfirmSend } from './confirm-send';
import { problemOf, type SendOptions } from './send-options';

/** The last step: the recipient count and the button that opens the confirmation. */
export function SendStep({
  people,
  templateName,
  options,
  checking,
  unconfirmed = false,
  stale = false,
  onCheckAgain,
  sending,
  sent,
  error,
  onSend,
}: {
  /** Number of recipients; absent until known. */
  people: number | undefined;
  templateName: string;
  options: SendOptions;
  /** A check is running; the count may change. */
  checking: boolean;
  /** A person has to confirm the columns first. */
  unconfirmed?: boolean;
  /** Columns or options have changed since the check. */
  stale?: boolean;
  onCheckAgain?: () => void;
  sending: boolean;
  sent: number | null;
  error: unknown;
  onSend: () => void;
}) {
  const now = useNow();
  const [isConfirming, setConfirming] = useState(false);
  if (people === undefined) return null;
  const unready = unconfirmed ? 'Confirm first how the columns are used.' : null;
  const problem = people === 0 ? 'There are no recipients.' : (unready ?? problemOf(options, now));
  return (
    <div className="send-bar">
      <div>
        <strong>{counted(people, 'person', 'people')}</strong> will receive <span dir="auto">{templateName}</span>
      </div>
      {stale && onCheckAgain && (
        <Button icon="retry" onClick={onCheckAgain}>
          Check the file again
        </Button>
      )}
      <Button
        variant="primary"
        icon="send"
        disabled={problem !== null || checking || stale}
        onClick={() => setConfirming(true)}
      >
        {options.hold ? 'Create job…' : `Send to ${count(people)}…`}
      </Button>
      {problem && <Note tone="warning">{problem}</Note>}
      <ConfirmSend
        open={isConfirming}
        people={people}
        templateName={templateName}
        options={options}
        sending={sending}
        sent={sent}
        error={error}
        onSend={onSend}
        onClose={() => !sending && setConfirming(false)}
      />
    </div>
  );
}
