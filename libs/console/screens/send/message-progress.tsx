import { useQuery } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDto, SentMessageDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { ErrorLine, Note } from '../../ui/states';
import { Time } from '../../ui/time';

const POLL_MS = 1000;
/** How long the message is polled; the conversation shows later status changes. */
const POLL_LIMIT_MS = 120_000;
const FINAL: readonly string[] = ['Read', 'Undelivered', 'Failed', 'Cancelled'];

const MEANINGS: Partial<Record<MessageDto['status'], string>> = {
  Queued: 'Queued; will be sent automatically.',
  Sent: 'Accepted by WhatsApp.',
  Delivered: 'Delivered to the phone.',
  Read: 'Read by the person.',
  Unknown: 'No response from WhatsApp. A later report will settle it; it is never sent twice.',
  Undelivered: 'Accepted by WhatsApp, later reported as not delivered.',
  Failed: 'Not sent.',
  Cancelled: 'Cancelled before it was sent.',
};

/** The live status of a message that was just sent. */
export function MessageProgress({ sent, onAnother }: { sent: SentMessageDto; onAnother: () => void }) {
  const session = useSession();
  const canRead = session.can('messaging:read');
  const message = useQuery({
    queryKey: queryKeys.messages.one(sent.messageId),
    queryFn: ({ signal }) => call(getMessage, { path: { messageId: sent.messageId } }, { signal }),
    enabled: canRead,
    refetchInterval: ({ state }) => (mayStillChange(state.data ?? sent) ? POLL_MS : false),
  });
  const { status } = message.data ?? sent;
  const steps = message.data?.statusHistory ?? [{ status: sent.status, at: sent.createdAt }];
  return (
    <section className="send-step" aria-label="Message status">
      <div className="stack">
        <div className="row">
          <Badge>{status}</Badge>
          <strong>
            <PhoneNumber value={sent.to ?? sent.userId ?? ''} />
          </strong>
        </div>
        <p role="status">{MEANINGS[status]}</p>
        <ol className="send-timeline">
          {steps.map(({ status: step, at }, index) => (
            <li key={index} data-status={step}>
              <strong>{step}</strong> <span className="hint">{at ? <Time at={at} as="exact" /> : 'time unknown'}</span>
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
        {!canRead && (
          <p className="hint">
            To see its delivery status, your key needs the scope <code>messaging:read</code>.
          </p>
        )}
        <div className="row">
          <Button icon="plus" onClick={onAnother}>
            Send another
          </Button>
          {canRead && message.data?.conversationId && (
            <ButtonLink to={`/conversations?id=${message.data.conversationId}`}>Open conversation</ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}

function mayStillChange({ status, createdAt }: Pick<MessageDto, 'createdAt'> & { status: string }): boolean {
  return !FINAL.includes(status) && Date.now() - new Date(createdAt).getTime() < POLL_LIMIT_MS;
}
