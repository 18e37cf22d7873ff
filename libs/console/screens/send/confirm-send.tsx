import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmByTyping, Dialog } from '../../ui/dialog';
import { count, counted, exactTime } from '../../ui/format';
import { ProgressBar } from '../../ui/progress-bar';
import { ErrorLine } from '../../ui/states';
import { windowInWords } from '../job/weekdays';
import { OWN_TIME_ZONE, type SendOptions } from './send-options';

/** Asks to type how many people get a message before they do; shows how the upload goes, and what went wrong. */
export function ConfirmSend({
  open,
  people,
  templateName,
  options: { startsAt, window, hold },
  sending,
  sent,
  error,
  onSend,
  onClose,
}: {
  open: boolean;
  people: number;
  templateName: string;
  options: SendOptions;
  sending: boolean;
  /** How much of the file has left, from 0 to 1; null: there is no file. */
  sent: number | null;
  error: unknown;
  onSend: () => void;
  onClose: () => void;
}) {
  const [ready, setReady] = useState(false);
  const begins = startsAt ? `${exactTime(new Date(startsAt))}, by the clock of ${OWN_TIME_ZONE}` : 'now';
  const verb = startsAt ? 'Schedule' : 'Send';
  const close = () => {
    if (sending) return;
    setReady(false);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Send to ${counted(people, 'person', 'people')}?`}
      lead={
        <>
          <p>
            <strong dir="auto">{templateName}</strong>,{' '}
            {hold ? 'on hold: nothing leaves until somebody resumes the job.' : `beginning ${begins}.`}
          </p>
          {window && <p>It sends only {windowInWords(window)}.</p>}
          {!hold && (
            <p className="hint">A message that has left cannot be called back. The job can be paused at any time.</p>
          )}
        </>
      }
      footer={
        <>
          <Button disabled={sending} onClick={close}>
            Back
          </Button>
          <Button variant="primary" icon="send" disabled={!ready && !sending} busy={sending} onClick={onSend}>
            {hold ? 'Make the job' : `${verb} ${counted(people, 'message')}`}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !sending) onSend();
        }}
      >
        <ConfirmByTyping expected={count(people)} label="How many people get it?" onReady={setReady} />
      </form>
      {sending && sent !== null && (
        <>
          <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
          <p className="hint" role="status">
            {sent < 1
              ? 'The file is on its way. If you leave now, nothing is sent.'
              : 'The service stores the recipients. It answers when the job is complete.'}
          </p>
        </>
      )}
      {error !== null && !sending && <ErrorLine error={error} />}
    </Dialog>
  );
}
