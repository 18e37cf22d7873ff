import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getMessage } from '../../../client/generated/sdk.gen';
import type { MessageDetailDto, MessageDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { explanationOf, plainText } from '../../api/explanations';
import type { ScreenProps } from '../../app/screen-props';
import { useMessageTemplate } from '../../app/message-template';
import { mediaOf } from '../../app/message-media';
import { optOutsAddress } from '../../app/marketing-opt-out';
import { useSession } from '../../app/session';
import { StateBadge } from '../../app/state-badge';
import { hasFailed, MESSAGE_MEANINGS } from '../../app/states';
import { rateWord } from '../../app/vocabulary';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfMessage } from '../../ui/bubble/message-content';
import { CopyButton } from '../../ui/copy-button';
import { errorTitle } from '../../api/error-title';
import { rich, t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { duration } from '../../ui/format';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { PhoneNumber } from '../../ui/phone-number';
import { Empty, Loaded } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { JobLink } from '../job/job-link';

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
        <PageHeader title={t('Message')} />
        <Empty
          title={t('Message not found')}
          icon="chat"
          hint={t('It was erased, or deleted after the retention period.')}
        >
          <ButtonLink to="/messages">{t('All messages')}</ButtonLink>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={message.data?.direction === 'Inbound' ? t('Message received') : t('Message sent')}
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
  const shown = bubbleOfMessage(message, useMessageTemplate(message));
  return (
    <div className="columns">
      <div className="stack">
        {message.error && <Failure message={message} />}
        <div className="bubble-wall">
          <MessageBubble
            content={shown}
            media={mediaOf(message, shown)}
            direction={isInbound ? 'in' : 'out'}
            at={message.createdAt}
            status={isInbound ? undefined : message.status}
            edited={message.content?.editedAt !== undefined}
            label={t('The message')}
          />
        </div>
      </div>
      <div className="stack">
        <Panel title={t('Status')}>
          <Steps message={message} />
        </Panel>
        <Panel title={t('Details')}>
          <About message={message} />
        </Panel>
      </div>
    </div>
  );
}

/** The codes of messages to people who opted out. */
const OPTED_OUT: readonly string[] = ['opted_out', 'marketing_stopped'];

function Failure({ message: { error, status, contactPhone: phone, userId } }: { message: MessageDto }) {
  const session = useSession();
  if (!error) return null;
  const explanation = explanationOf(error.code, hasFailed(status));
  return (
    <Panel title={hasFailed(status) ? t('Why it failed') : t('Problem')}>
      <p>
        <strong>{t('{problem}.', { problem: errorTitle(error.code) })}</strong>{' '}
        {explanation?.when ?? <ServiceText text={error.message} />}
      </p>
      {explanation && (
        <p>
          {rich('<b>How to fix it:</b> {remedy}', {
            b: (text) => <strong>{text}</strong>,
            remedy: plainText(explanation.remedy),
          })}
        </p>
      )}
      {OPTED_OUT.includes(error.code) && (phone ?? userId) !== null && session.can('groups:read') && (
        <p>
          <Link to={optOutsAddress({ phone, userId })}>{t('Opt-outs of this person')}</Link>
        </p>
      )}
      <p className="hint">
        {explanation && error.message !== explanation.original && (
          <>{rich('Message from WhatsApp: “{message}”', { message: <ServiceText text={error.message} /> })} </>
        )}
        {error.platformCode === null
          ? rich('Code {code}', { code: <code>{error.code}</code> })
          : rich('Code {code}, WhatsApp code {platformCode}', {
              code: <code>{error.code}</code>,
              platformCode: <code>{error.platformCode}</code>,
            })}
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
              <StateBadge state={step.status} />
              {step.at ? <Time at={step.at} as="exact" /> : <span className="hint">{t('time unknown')}</span>}
              {took >= 1 && <span className="hint">{t('after {duration}', { duration: duration(took) })}</span>}
            </span>
            <span className="hint">{MESSAGE_MEANINGS[step.status]}</span>
          </li>
        );
      })}
      {(status === 'Queued' || status === 'Sent') && (
        <li className="steps-next">
          <span className="hint">{status === 'Sent' ? t('Delivery not confirmed yet') : t('Not sent yet')}</span>
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
        <Fact label={t('Contact')}>
          {contactPhone ? (
            <Link to={`/conversations?id=${message.conversationId}`}>
              <PhoneNumber value={contactPhone} />
            </Link>
          ) : (
            (userId ?? t('Unknown', {}, 'a contact'))
          )}
        </Fact>
        {templateName && (
          <Fact label={t('Template')}>
            {templateName} · {languageCode}
          </Fact>
        )}
        {message.sentBy && <Fact label={t('Sent by')}>{message.sentBy.keyName ?? t('A deleted key')}</Fact>}
        {jobId && (
          <Fact label={t('Job')}>
            <JobRow rowNumber={rowNumber}>{session.can('jobs:read') ? <JobLink jobId={jobId} /> : jobId}</JobRow>
          </Fact>
        )}
        {reference && <Fact label={t('Reference')}>{reference}</Fact>}
        {pricing && (
          <Fact label={t('Cost')}>
            {pricing.billable
              ? t('Charged ({category})', { category: rateWord(pricing.category) })
              : t('Free ({category})', { category: rateWord(pricing.category) })}
          </Fact>
        )}
        <Fact label={t('ID')}>
          <code>{message.id}</code> <CopyButton text={message.id} label={t('Copy ID')} />
        </Fact>
        {message.platformMessageId && (
          <Fact label={t('WhatsApp ID')}>
            <code>{message.platformMessageId}</code>{' '}
            <CopyButton text={message.platformMessageId} label={t('Copy WhatsApp ID')} />
          </Fact>
        )}
      </Facts>
      <div className="row">
        <ButtonLink to={`/conversations?id=${message.conversationId}`} icon="chat">
          {t('Open conversation')}
        </ButtonLink>
      </div>
    </>
  );
}

function JobRow({ rowNumber, children }: { rowNumber: number | null; children: ReactNode }) {
  return rowNumber === null ? children : rich('{job}, row {row}', { job: children, row: String(rowNumber) });
}
