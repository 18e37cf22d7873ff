import { type ReactNode, useState } from 'react';
import type { RecipientCheckDto, SendWindowDto } from '../../../client/generated/types.gen';
import { AmbiguousNumbersNote } from '../../app/columns/ambiguous-numbers-note';
import { repeatedRows } from '../../app/columns/check-warnings';
import { UnlikelyNumbersNote } from '../../app/columns/unlikely-numbers-note';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ConfirmByTyping, Dialog } from '../../ui/dialog';
import { clockTime, count, plannedTime, relativeTime } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { useNow } from '../../ui/now';
import { ErrorLine, Note } from '../../ui/states';
import { UploadProgress } from '../../ui/upload-progress';
import { describeWindow } from '../job/send-window-text';
import type { GuessedColumn } from './campaign-columns';
import { LocalDisplayNote } from '../../app/columns/local-display-note';
import { OtherSheetsNote } from './other-sheets-note';
import { LOCAL_TIME_ZONE, type SendOptions } from './send-options';

/** Larger sends are confirmed by typing the number of recipients. */
const MOST_WITHOUT_TYPING = 1_000;
const NONE: readonly GuessedColumn[] = [];

/** Confirms a send, a large one by typing the recipient count; shows upload progress and errors. */
export function ConfirmSend({
  open,
  messages,
  people,
  optedOut,
  check,
  audience,
  name,
  templateName,
  options,
  start = null,
  guesses = NONE,
  sending,
  sent,
  error,
  onSend,
  onClose,
  children,
}: {
  open: boolean;
  messages: number;
  /** Differs if some people get several messages; absent: unknown. */
  people?: number;
  /** Who are skipped of the recipients of a job; absent with `people`: unknown, so `messages` is the most. */
  optedOut?: number;
  /** What the send leaves out; absent: not known. */
  check?: RecipientCheckDto;
  /** Names of the groups; absent: a file, or not known. */
  audience?: readonly string[];
  /** Name of the campaign; empty: none. */
  name: string;
  templateName: string;
  options: Omit<SendOptions, 'window'> & { window: SendWindowDto | null };
  /** When sending starts; null: now, or not known. */
  start?: Date | null;
  /** Columns that are not confirmed yet. */
  guesses?: readonly GuessedColumn[];
  sending: boolean;
  /** Uploaded fraction of the file, 0 to 1; null: no file. */
  sent: number | null;
  error: unknown;
  onSend: () => void;
  onClose: () => void;
  /** More to know or to choose. */
  children?: ReactNode;
}) {
  const now = useNow();
  const [isTyped, setTyped] = useState(false);
  const { startsAt, window, hold } = options;
  const isMost = people === undefined && optedOut === undefined;
  const skipped = check?.optedOut ?? optedOut ?? 0;
  // A campaign says when it starts beside its name.
  const waitsUntil = people === undefined && window ? start : null;
  const ready = messages <= MOST_WITHOUT_TYPING || isTyped;
  const close = () => {
    if (sending) return;
    setTyped(false);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={
        hold
          ? t('Create a job on hold for {messages, plural, one {# message} other {# messages}}?', { messages })
          : people === undefined
            ? isMost
              ? t('Send up to {messages, plural, one {# message} other {# messages}}?', { messages })
              : t('Send {messages, plural, one {# message} other {# messages}}?', { messages })
            : people === messages
              ? startsAt
                ? t('Schedule {messages, plural, one {# message} other {# messages}}?', { messages })
                : t('Send to {people, plural, one {# person} other {# people}}?', { people })
              : t('Send {messages, number} messages to {people, plural, one {# person} other {# people}}?', {
                  ...{ messages, people },
                })
      }
      lead={
        <>
          <p>{whatAndWhen({ name, templateName, options, start })}</p>
          {audience && <p>{rich('To {groups}.', { groups: <bdi>{audience.join(', ')}</bdi> })}</p>}
          {isMost && <p>{t('People who have opted out are skipped.')}</p>}
          {skipped > 0 && (
            <p>
              {t(
                '{skipped, plural, one {# of the {all, number} recipients has opted out and is} other {# of the {all, number} recipients have opted out and are}} skipped.',
                { skipped, all: messages + skipped },
              )}
            </p>
          )}
          {check && <Skipped check={check} />}
          {check && <Repeated check={check} />}
          {window && (
            <p>
              {waitsUntil
                ? t('It is {now}; sending hours are {hours}, so it starts at {time} ({relative}).', {
                    ...{ now: clockTime(now, now), hours: describeWindow(window), time: clockTime(waitsUntil, now) },
                    relative: relativeTime(waitsUntil, now),
                  })
                : t('Sending hours: {hours}.', { hours: describeWindow(window) })}
            </p>
          )}
          {!hold && <p>{t('Sent messages cannot be recalled. You can pause the job at any time.')}</p>}
        </>
      }
      footer={
        <>
          <Button disabled={sending} onClick={close}>
            {t('Back')}
          </Button>
          <Button
            variant="primary"
            icon={hold ? 'pause' : 'send'}
            disabled={!ready && !sending}
            busy={sending}
            onClick={onSend}
          >
            {hold
              ? t('Create job on hold')
              : waitsUntil
                ? t('Start at {time}', { time: clockTime(waitsUntil, now) })
                : startsAt
                  ? t('Schedule {messages, plural, one {# message} other {# messages}}', { messages })
                  : isMost
                    ? t('Send up to {messages, plural, one {# message} other {# messages}}', { messages })
                    : t('Send {messages, plural, one {# message} other {# messages}}', { messages })}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !sending) onSend();
        }}
      >
        {check && <AmbiguousNumbersNote warnings={check.warnings} />}
        {check && <UnlikelyNumbersNote warnings={check.warnings} />}
        {check && <LocalDisplayNote check={check} />}
        {check && <OtherSheetsNote warnings={check.warnings} />}
        {children}
        {guesses.length > 0 && <Guesses guesses={guesses} />}
        {messages > MOST_WITHOUT_TYPING && (
          <ConfirmByTyping expected={count(messages)} label={t('Number of messages')} onReady={setTyped} />
        )}
      </form>
      {sending && sent !== null && (
        <UploadProgress
          sent={sent}
          uploading={t('If you leave now, nothing is sent.')}
          working={t('Saving the recipients…')}
        />
      )}
      {error !== null && !sending && <ErrorLine error={error} />}
    </Dialog>
  );
}

/** `Spring sale, template order_update, starting now.` */
function whatAndWhen({
  name,
  templateName,
  options: { hold },
  start,
}: Pick<Parameters<typeof ConfirmSend>[0], 'name' | 'templateName' | 'options' | 'start'>) {
  const title = <strong dir="auto">{name || templateName}</strong>;
  const what = name ? rich('{title}, template {template}', { title, template: <bdi>{templateName}</bdi> }) : title;
  if (!start) {
    return hold ? rich('{what}, on hold until you send it.', { what }) : rich('{what}, starting now.', { what });
  }
  const values = { what, at: plannedTime(start), zone: LOCAL_TIME_ZONE };
  return hold
    ? rich('{what}, on hold until you send it, and not before {at} ({zone}).', values)
    : rich('{what}, starting {at} ({zone}).', values);
}

/** “Skipped: 2 invalid, 1 repeated. Left out: 294 people, as chosen.” */
function Skipped({ check: { invalidRows, duplicateRows, leftOut = 0 } }: { check: RecipientCheckDto }) {
  const rows = [
    invalidRows > 0 && t('{count, number} invalid', { count: invalidRows }),
    duplicateRows > 0 && t('{count, number} repeated', { count: duplicateRows }),
  ].filter(Boolean);
  return (
    <>
      {rows.length > 0 && <p>{t('Skipped: {rows}.', { rows: rows.join(', ') })}</p>}
      {leftOut > 0 && (
        <p>{t('Left out: {count, plural, one {# person} other {# people}}, as chosen.', { count: leftOut })}</p>
      )}
    </>
  );
}

function Repeated({ check }: { check: RecipientCheckDto }) {
  const { rows } = repeatedRows(check);
  if (rows === 0) return null;
  return (
    <p>
      {t(
        '{rows, plural, one {# message goes} other {# messages go}} to people who are listed more than once, with different values: they get a message for each.',
        { rows },
      )}
    </p>
  );
}

function Guesses({ guesses }: { guesses: readonly GuessedColumn[] }) {
  return (
    <Note tone="warning">
      <p>{t('These columns are guesses. By sending you confirm them:')}</p>
      <ul aria-label={t('Guessed columns')}>
        {guesses.map(({ field, source, example }) => (
          <li key={field}>
            <bdi>{field}</bdi> <Icon name="from" /> <bdi>{source}</bdi>
            {example && <span className="hint">{rich(', e.g. {example}', { example: <bdi>{example}</bdi> })}</span>}
          </li>
        ))}
      </ul>
    </Note>
  );
}
