import { useQuery } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDetailDto, MessageDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { explanationOf } from '../../api/explanations';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { CopyButton } from '../../ui/copy-button';
import { duration, humanize } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { Empty, Loaded } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { hasFailed, STATUS_LABELS } from './message-labels';

/** One message: preview, status history and error. */
export default function MessageScreen({ params }: ScreenProps) {
  const messageId = params.messageId ?? '';
  const message = useQuery({
    queryKey: queryKeys.messages.one(messageId),
    queryFn: ({ signal }) => call(getMessage, { path: { messageId } }, { signal }),
    refetchInterval: ({ state }) => (state.data && mayStillChange(state.data) ? 2000 : false),
  });
  if (message.isError && asMessagingError(message.error).code === 'message_not_found') {
    return (
      <>
        <PageHeader title="Message" />
        <Empty title="Message not found" icon="chat" hint="It was erased, or deleted after the retention period.">
          <ButtonLink to="/messages">All messages</ButtonLink>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={message.data?.direction === 'Inbound' ? 'Message received' : 'Message sent'}
        asOf={<AsOf at={message.dataUpdatedAt} />}
      />
      <Loaded query={message}>{(found) => <Message message={found} />}</Loaded>
    </>
  );
}

function mayStillChange({ status, createdAt }: MessageDto): boolean {
  return ['Queued', 'Sent', 'Unknown'].includes(status) && Date.now() - Date.parse(createdAt) < 300_000;
}

function Message({ message }: { message: MessageDetailDto }) {
  const isInbound = message.direction === 'Inbound';
  return (
    <div className="columns">
      <div className="stack">
        <div className="bubble-wall">
          <MessageBubble
            content={bubbleOfMessage(message)}
            direction={isInbound ? 'in' : 'out'}
            at={message.createdAt}
            status={isInbound ? undefined : message.status}
            edited={message.content?.editedAt !== undefined}
            label="The message"
          />
        </div>
        {message.error && <Failure message={message} />}
      </div>
      <div className="stack">
        <Panel title="Status">
          <Steps message={message} />
        </Panel>
        <Panel title="Details">
          <About message={message} />
        </Panel>
      </div>
    </div>
  );
}

function Failure({ message: { error, status } }: { message: MessageDto }) {
  if (!error) return null;
  const explanation = explanationOf(error.code);
  return (
    <Panel title={hasFailed(status) ? 'Why it failed' : 'Problem'}>
      <p>
        <strong>{humanize(error.code)}.</strong> {explanation?.when ?? error.message}
      </p>
      {explanation && (
        <p>
          <strong>How to fix it:</strong> {explanation.remedy}
        </p>
      )}
      <p className="hint">
        {explanation && error.message !== explanation.when && <>Platform message: “{error.message}” </>}
        Code <code>{error.code}</code>
        {error.platformCode !== null && (
          <>
            , platform code <code>{error.platformCode}</code>
          </>
        )}
      </p>
    </Panel>
  );
}

function Steps({ message }: { message: MessageDto }) {
  const { statusHistory, status } = message;
  return (
    <ol className="steps">
      {statusHistory.map((step, index) => {
        const before = statusHistory[index - 1]?.at;
        const took = before && step.at ? (Date.parse(step.at) - Date.parse(before)) / 1000 : 0;
        return (
          <li key={step.status} data-last={index === statusHistory.length - 1 || undefined}>
            <span className="row">
              <Badge>{step.status}</Badge>
              {step.at ? <Time at={step.at} as="exact" /> : <span className="hint">time unknown</span>}
              {took >= 1 && <span className="hint">after {duration(took)}</span>}
            </span>
            <span className="hint">{STATUS_LABELS[step.status]}</span>
          </li>
        );
      })}
      {(status === 'Queued' || status === 'Sent') && (
        <li className="steps-next">
          <span className="hint">{status === 'Sent' ? 'Delivery not confirmed yet' : 'Not sent yet'}</span>
        </li>
      )}
    </ol>
  );
}

function About({ message }: { message: MessageDetailDto }) {
  const session = useSession();
  const { contactPhone, userId, templateName, languageCode, jobId, rowNumber, reference, pricing } = message;
  return (
    <>
      <Facts>
        <Fact label="Contact">
          {contactPhone ? (
            <Link to={`/messages?to=${contactPhone}`}>
              <PhoneNumber value={contactPhone} />
            </Link>
          ) : (
            (userId ?? 'Unknown')
          )}
        </Fact>
        {templateName && (
          <Fact label="Template">
            {templateName} · {languageCode}
          </Fact>
        )}
        {message.sentBy && <Fact label="Sent by">{message.sentBy.keyName ?? 'A deleted key'}</Fact>}
        {jobId && (
          <Fact label="Job">
            {session.can('jobs:read') ? <Link to={`/jobs/${jobId}`}>Open job</Link> : jobId}
            {rowNumber !== null && `, row ${rowNumber}`}
          </Fact>
        )}
        {reference && <Fact label="Reference">{reference}</Fact>}
        {pricing && (
          <Fact label="Cost">
            {pricing.billable ? 'Charged' : 'Free'} ({pricing.category})
          </Fact>
        )}
        <Fact label="ID">
          <code>{message.id}</code> <CopyButton text={message.id} label="Copy ID" />
        </Fact>
        {message.platformMessageId && (
          <Fact label="WhatsApp ID">
            <code>{message.platformMessageId}</code>{' '}
            <CopyButton text={message.platformMessageId} label="Copy WhatsApp ID" />
          </Fact>
        )}
      </Facts>
      <div className="row">
        <ButtonLink to={`/conversations?id=${message.conversationId}`} icon="chat">
          Open conversation
        </ButtonLink>
      </div>
    </>
  );
}
