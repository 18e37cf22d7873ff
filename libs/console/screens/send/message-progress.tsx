import { useQuery } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDto, SentMessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { ErrorLine, Note } from '../../ui/states';
import { Time } from '../../ui/time';

const POLL_MS = 1000;
/** Whoever has not read it by then reads it later; the conversation shows it. */
const WATCHED_MS = 120_000;
const FINAL: readonly string[] = ['Read', 'Undelivered', 'Failed', 'Cancelled'];

const MEANINGS: Partial<Record<MessageDto['status'], string>> = {
  Queued: 'It waits for the pace of the sender or for WhatsApp, and leaves by itself.',
  Sent: 'WhatsApp has accepted it.',
  Delivered: 'It is on the phone.',
  Read: 'The person has opened it.',
  Unknown: 'No answer came back. It is settled by a later report, and never sent twice.',
  Undelivered: 'WhatsApp accepted it, and reported later that it did not arrive.',
  Failed: 'It was not sent.',
  Cancelled: 'It was cancelled before it left.',
};

/** What becomes of a message that was just sent, step by step as it happens. */
export function MessageProgress({ sent, onAnother }: { sent: SentMessageDto; onAnother: () => void }) {
  const session = useSession();
  const mayRead = session.can('messaging:read');
  const message = useQuery({
    queryKey: ['message', sent.messageId],
    queryFn: ({ signal }) => call(getMessage, { path: { messageId: sent.messageId } }, { signal }),
    enabled: mayRead,
    refetchInterval: ({ state }) => (moves(state.data ?? sent) ? POLL_MS : false),
  });
  const { status } = message.data ?? sent;
  const steps = message.data?.statusHistory ?? [{ status: sent.status, at: sent.createdAt }];
  return (
    <section className="send-step" aria-label="What becomes of it">
      <div className="stack">
        <div className="row">
          <Badge>{status}</Badge>
          <strong>
            <PhoneNumber value={sent.to} />
          </strong>
        </div>
        <p role="status">{MEANINGS[status]}</p>
        <ol className="send-timeline">
          {steps.map(({ status: step, at }, index) => (
            <li key={index} data-status={step}>
              <strong>{step}</strong>{' '}
              <span className="hint">{at ? <Time at={at} as="exact" /> : 'the time is not known'}</span>
            </li>
          ))}
        </ol>
        {message.data?.error && (
          <Note tone="danger">
            <p>{message.data.error.message}</p>
            <p className="hint">
              <code>{message.data.error.code}</code>
            </p>
          </Note>
        )}
        {message.isError && <ErrorLine error={message.error} />}
        {!mayRead && (
          <p className="hint">
            To follow it to the phone, the key needs the scope <code>messaging:read</code>.
          </p>
        )}
        <div className="row">
          <Button icon="plus" onClick={onAnother}>
            Send another
          </Button>
          {mayRead && message.data?.conversationId && (
            <ButtonLink to={`/conversations?id=${message.data.conversationId}`}>To the conversation</ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}

function moves({ status, createdAt }: Pick<MessageDto, 'createdAt'> & { status: string }): boolean {
  return !FINAL.includes(status) && Date.now() - new Date(createdAt).getTime() < WATCHED_MS;
}
