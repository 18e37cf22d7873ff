import { type ReactNode, useState } from 'react';
import type { RecipientCheckDto } from '../../../client/generated/types.gen';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { plannedTime } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Note } from '../../ui/states';
import { StickyBar } from '../../ui/sticky-bar';
import { useNarrow } from '../../ui/use-narrow';
import type { GuessedColumn } from './campaign-columns';
import { reached } from './check-view';
import { repeatedRows } from '../../app/columns/check-warnings';
import { ConfirmSend } from './confirm-send';
import { offerTiming } from './offer-end';
import { problemOf, type SendOptions, startOf } from './send-options';
import { showPreview } from './steps';

/** The last step: the recipient count and the button that opens the confirmation. */
export function SendStep({
  check,
  audience,
  name,
  templateName,
  options,
  offerEndsAt,
  checking,
  guesses,
  stale = false,
  warning,
  caution,
  onCheckAgain,
  sending,
  sent,
  error,
  onSend,
}: {
  /** Absent until known. */
  check: RecipientCheckDto | undefined;
  /** Names of the groups; absent: a file. */
  audience?: readonly string[];
  name: string;
  templateName: string;
  options: SendOptions;
  /** When the offer of the message ends, ISO 8601; absent: it has none. */
  offerEndsAt?: string;
  /** A check is running; the count may change. */
  checking: boolean;
  /** Columns that the confirmation confirms as well. */
  guesses?: readonly GuessedColumn[];
  /** Columns or options have changed since the check. */
  stale?: boolean;
  /** What should be corrected first, although sending is possible. */
  warning?: string;
  /** What the confirmation says again. */
  caution?: ReactNode;
  onCheckAgain?: () => void;
  sending: boolean;
  sent: number | null;
  error: unknown;
  /** With what is sent, and to whom it is not: “9 messages, 1 opted out”. */
  onSend: (summary: string) => void;
}) {
  const now = useNow();
  const [isConfirming, setConfirming] = useState(false);
  if (!check) return null;
  const messages = reached(check);
  const people = messages - repeatedRows(check).rows;
  const offer = offerTiming(offerEndsAt, { options, plan: check.plan }, now);
  const problem = messages === 0 ? t('There are no recipients.') : (problemOf(options, now) ?? offer.problem);
  const start = problem === null ? startOf(options, check.plan.startsAt, now) : null;
  const isLater = options.startsAt !== '' && !options.hold && problem === null;
  return (
    <StickyBar>
      <div>
        <Sentence
          people={people}
          name={name ? `${name} (${templateName})` : templateName}
          start={options.hold ? null : start}
        />
      </div>
      <div className="send-to-preview">
        <Button small onClick={showPreview}>
          {t('Preview')}
        </Button>
      </div>
      {stale && onCheckAgain && (
        <Button icon="retry" onClick={onCheckAgain}>
          {t('Check the file again')}
        </Button>
      )}
      <Button
        variant="primary"
        icon={options.hold ? 'pause' : 'send'}
        disabled={problem !== null || checking || stale}
        onClick={() => setConfirming(true)}
      >
        {options.hold
          ? t('Create job…')
          : isLater
            ? t('Schedule {messages, plural, one {# message} other {# messages}}…', { messages })
            : t('Send to {people, plural, one {# person} other {# people}}…', { people })}
      </Button>
      {(problem ?? warning) && <Note tone="warning">{problem ?? warning}</Note>}
      {problem === null && offer.caution && <Note tone="warning">{offer.caution}</Note>}
      <ConfirmSend
        open={isConfirming}
        messages={messages}
        people={people}
        check={check}
        audience={audience}
        name={name}
        templateName={templateName}
        options={options}
        start={start}
        guesses={guesses}
        sending={sending}
        sent={sent}
        error={error}
        onSend={() => onSend(summaryOf(check))}
        onClose={() => !sending && setConfirming(false)}
      >
        {caution}
        {offer.caution && <Note tone="warning">{offer.caution}</Note>}
      </ConfirmSend>
    </StickyBar>
  );
}

/** Who receives what, and from when; short on a phone. */
function Sentence({ people, name, start }: { people: number; name: string; start: Date | null }) {
  const values = {
    ...{ people, name, at: start && plannedTime(start) },
    strong: (text: ReactNode) => <strong>{text}</strong>,
    template: (text: ReactNode) => <span dir="auto">{text}</span>,
  };
  if (useNarrow()) {
    return rich(
      start
        ? '<strong>{people, plural, one {# person} other {# people}}</strong>, {at}'
        : '<strong>{people, plural, one {# person} other {# people}}</strong>: <template>{name}</template>',
      values,
    );
  }
  return rich(
    start
      ? '<strong>{people, plural, one {# person} other {# people}}</strong> will receive <template>{name}</template>, starting {at}'
      : '<strong>{people, plural, one {# person} other {# people}}</strong> will receive <template>{name}</template>',
    values,
  );
}

/** The messages of a send and who have opted out: together the recipients of the job that it creates. */
function summaryOf(check: RecipientCheckDto): string {
  const messages = t('{count, plural, one {# message} other {# messages}}', { count: reached(check) });
  if (check.optedOut === 0) return messages;
  return `${messages}, ${t('{count, number} opted out', { count: check.optedOut })}`;
}
