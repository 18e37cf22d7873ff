import type { SentMessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { StateBadge } from '../../app/state-badge';
import { MESSAGE_MEANINGS, STATE_WORDS } from '../../app/states';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/link';
import { PhoneNumber } from '../../ui/phone-number';
import { ErrorLine, Note } from '../../ui/states';
import { Time } from '../../ui/time';
import { ProblemText } from '../job/problem-text';
import { useSentMessage } from './use-sent-message';

/** The live status of a message that was just sent. */
export function MessageProgress({ sent, onAnother }: { sent: SentMessageDto; onAnother: () => void }) {
  const session = useSession();
  const canRead = session.can('messaging:read');
  const message = useSentMessage(sent);
  const { status } = message.data ?? sent;
  const steps = message.data?.statusHistory ?? [{ status: sent.status, at: sent.createdAt }];
  return (
    <section className="send-step" aria-label={t('Message status')}>
      <div className="stack">
        <div className="row">
          <StateBadge state={status} />
          <strong>
            <PhoneNumber value={sent.to ?? sent.userId ?? ''} />
          </strong>
        </div>
        <p role="status">{MESSAGE_MEANINGS[status]}.</p>
        <ol className="send-timeline">
          {steps.map(({ status: step, at }, index) => (
            <li key={index} data-status={step}>
              <strong>{STATE_WORDS[step]}</strong>{' '}
              <span className="hint">{at ? <Time at={at} as="exact" /> : t('time unknown')}</span>
            </li>
          ))}
        </ol>
        {message.data?.error && (
          <Note tone="danger">
            <p>
              <ProblemText {...message.data.error} />
            </p>
            <p className="hint">
              <code>{message.data.error.code}</code>
            </p>
          </Note>
        )}
        {message.isError && <ErrorLine error={message.error} />}
        {!canRead && (
          <p className="hint">
            {rich('To see its delivery status, your key needs the scope <code>messaging:read</code>.', {
              code: (text) => <code>{text}</code>,
            })}
          </p>
        )}
        <div className="row">
          <Button icon="plus" onClick={onAnother}>
            {t('Send another')}
          </Button>
          {canRead && message.data?.conversationId && (
            <ButtonLink to={`/conversations?id=${message.data.conversationId}`}>{t('Open conversation')}</ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}
