import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmByTyping, Dialog } from '../../ui/dialog';
import { count, counted, exactTime } from '../../ui/format';
import { ProgressBar } from '../../ui/progress-bar';
import { ErrorLine } from '../../ui/states';
import { describeWindow } from '../job/send-window-text';
import { LOCAL_TIME_ZONE, type SendOptions } from './send-options';

/** Confirms a send by typing the recipient count; shows upload progress and errors. */
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
  /** Uploaded fraction of the file, 0 to 1; null: no file. */
  sent: number | null;
  error: unknown;
  onSend: () => void;
  onClose: () => void;
}) {
  const [ready, setReady] = useState(false);
  const begins = startsAt ? `${exactTime(new Date(startsAt))} (${LOCAL_TIME_ZONE})` : 'now';
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
            {hold ? 'on hold: nothing is sent until the job is resumed.' : `starting ${begins}.`}
          </p>
          {window && <p>Sending hours: {describeWindow(window)}.</p>}
          {!hold && <p className="hint">Sent messages cannot be recalled. You can pause the job at any time.</p>}
        </>
      }
      footer={
        <>
          <Button disabled={sending} onClick={close}>
            Back
          </Button>
          <Button variant="primary" icon="send" disabled={!ready && !sending} busy={sending} onClick={onSend}>
            {hold ? 'Create job' : `${verb} ${counted(people, 'message')}`}
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
        <ConfirmByTyping expected={count(people)} label="Number of recipients" onReady={setReady} />
      </form>
      {sending && sent !== null && (
        <>
          <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
          <p className="hint" role="status">
            {sent < 1 ? 'Uploading the file. If you leave now, nothing is sent.' : 'Saving the recipients…'}
          </p>
        </>
      )}
      {error !== null && !sending && <ErrorLine error={error} />}
    </Dialog>
  );
}
