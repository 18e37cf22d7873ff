import type { SenderStateDto } from '../../../client/generated/types.gen';
import { QUALITY_WORDS } from '../../app/vocabulary';
import { rich, t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { Badge, type Tone, toneOf } from '../../ui/badge';
import { Gauge } from '../../ui/charts/gauge';
import { count, pace } from '../../ui/format';
import { Fact, Facts, Panel } from '../../ui/panel';
import { Note } from '../../ui/states';
import { Time } from '../../ui/time';

const QUALITY_MEANINGS = {
  Green: t('Recipients respond well to your messages.'),
  Yellow: t('Some recipients block or report your messages.'),
  Red: t('Many recipients block or report your messages; WhatsApp may lower your limits.'),
} as const;

/** One phone number: what it does now, its limits, and its ids. `rate`: messages per second it sends now; null: unknown. */
export function SenderPanel({ sender, rate }: { sender: SenderStateDto; rate: number | null }) {
  const { displayPhoneNumber, phoneNumberId, problem, missingSubscriptions, qualityRating } = sender;
  return (
    <Panel
      title={displayPhoneNumber ?? t('Number {id}', { id: phoneNumberId })}
      actions={
        <>
          {sender.default && <Badge>{t('Default')}</Badge>}
          <Activity sender={sender} rate={rate} />
        </>
      }
    >
      {problem && (
        <Note tone="danger">
          <p>
            <strong>{t('WhatsApp rejects the access token of this number: nothing can be sent.')}</strong>
          </p>
          <p>
            <ServiceText text={problem.message} />
          </p>
        </Note>
      )}
      {missingSubscriptions.length > 0 && <MissingSubscriptions fields={missingSubscriptions} />}
      <div className="senders-measures">
        <Pace sender={sender} rate={rate} />
        <Tier sender={sender} />
        <div className="senders-quality">
          <h3>{t('Quality')}</h3>
          {qualityRating ? (
            <>
              <Badge tone={toneOf(qualityRating)}>{QUALITY_WORDS[qualityRating]}</Badge>
              <p className="hint">{QUALITY_MEANINGS[qualityRating]}</p>
            </>
          ) : (
            <p className="hint">{t('Not rated by WhatsApp yet')}</p>
          )}
        </div>
      </div>
      <div className="senders-ids">
        <Facts>
          <Fact label={t('Last webhook')}>
            {sender.lastWebhookAt ? <Time at={sender.lastWebhookAt} /> : <span className="hint">{t('Never')}</span>}
          </Fact>
          <Fact label={t('Number ID')}>
            <code>{phoneNumberId}</code>
          </Fact>
          {sender.id && (
            <Fact label={t('Sender ID')}>
              <code>{sender.id}</code>
            </Fact>
          )}
        </Facts>
      </div>
    </Panel>
  );
}

/** What the number does now, in one word. */
function Activity({ sender, rate }: { sender: SenderStateDto; rate: number | null }) {
  const [word, tone] = activityOf(sender, rate);
  return word && <Badge tone={tone}>{word}</Badge>;
}

function activityOf(sender: SenderStateDto, rate: number | null): [word: string | null, tone?: Tone] {
  const { problem, rateNow } = sender;
  if (problem) return [t('Cannot send'), 'danger'];
  if (rateNow === 0) return [t('Sending stopped'), 'danger'];
  if (rate === null) return [null];
  if (rate > 0) return [t('Sending', {}, 'sender'), 'active'];
  return isFull(sender) ? [t('Limit reached', {}, 'sender'), 'warning'] : [t('Ready', {}, 'sender'), 'good'];
}

function MissingSubscriptions({ fields }: { fields: readonly string[] }) {
  const listed = fields.join(', ');
  return (
    <Note tone="warning">
      <p>
        {fields.includes('messages')
          ? t(
              'Missing webhook subscriptions: {fields}. Without “messages”, no message statuses or replies arrive. The operator of the service can subscribe to these fields on WhatsApp.',
              { fields: listed },
            )
          : t(
              'Missing webhook subscriptions: {fields}. The operator of the service can subscribe to these fields on WhatsApp.',
              { fields: listed },
            )}
      </p>
    </Note>
  );
}

/** What is sent now of what may be sent. */
function Pace({ sender: { rateNow, messagesPerSecond }, rate }: { sender: SenderStateDto; rate: number | null }) {
  const isStopped = rateNow === 0;
  const isSlowed = !isStopped && rateNow < messagesPerSecond;
  const isIdle = rate === 0 || isStopped;
  const limit = pace(isSlowed ? rateNow : messagesPerSecond);
  const now = isStopped ? pace(0) : rate === null ? '–' : pace(rate);
  return (
    <Gauge
      label={t('Messages per second now')}
      value={isStopped ? 0 : (rate ?? 0)}
      max={isSlowed ? rateNow : messagesPerSecond}
      shown={now}
      rows={[
        [t('Now'), now],
        ...(isSlowed ? [[t('Limit now'), pace(rateNow)] as const] : []),
        [t('Limit'), pace(messagesPerSecond)],
      ]}
      tone={isIdle || rate === null ? 'plain' : isSlowed ? 'warning' : 'good'}
    >
      {isStopped
        ? t('Nothing is sent until the operator resumes sending')
        : isSlowed
          ? t('up to {limit}, slowed by WhatsApp from {normal}', { limit, normal: pace(messagesPerSecond) })
          : t('up to {pace}', { pace: limit })}
    </Gauge>
  );
}

/** Whether the messaging tier allows no new conversations now. */
function isFull({ messagingTier, tierUsed }: SenderStateDto): boolean {
  return messagingTier !== 'Unlimited' && tierUsed !== null && tierUsed >= Number(messagingTier);
}

/** The people with whom conversations were started, of those that the messaging tier allows. */
function Tier({ sender }: { sender: SenderStateDto }) {
  const { messagingTier, tierUsed, roomAt } = sender;
  if (messagingTier === 'Unlimited' || tierUsed === null) {
    return (
      <Gauge
        label={t('New conversations in 24 hours')}
        value={0}
        max={1}
        shown={t('No limit', {}, 'in a gauge')}
        rows={[[t('Limit'), t('none', {}, 'limit')]]}
        tone="plain"
      >
        {t('WhatsApp does not limit new conversations')}
      </Gauge>
    );
  }
  const max = Number(messagingTier);
  return (
    <Gauge
      label={t('New conversations in 24 hours')}
      value={tierUsed}
      max={max}
      shown={count(tierUsed)}
      rows={[
        [t('Used'), count(tierUsed)],
        [t('Limit (messaging tier)'), count(max)],
        [t('Remaining'), count(Math.max(0, max - tierUsed))],
      ]}
      tone={isFull(sender) ? 'danger' : tierUsed >= max * 0.8 ? 'warning' : tierUsed > 0 ? 'good' : 'plain'}
    >
      {isFull(sender) && roomAt
        ? rich('of {max, number}, next available {time}', { max, time: <Time at={roomAt} /> })
        : t('of {max, number} allowed', { max })}
    </Gauge>
  );
}
