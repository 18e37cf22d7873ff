import { useState } from 'react';
import type { RecipientCheckDto, SendWindowDto } from '../../../client/generated/types.gen';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ConfirmByTyping, Dialog } from '../../ui/dialog';
import { count, plannedTime } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { ProgressBar } from '../../ui/progress-bar';
import { ErrorLine, Note } from '../../ui/states';
import { describeWindow } from '../job/send-window-text';
import type { GuessedColumn } from './campaign-columns';
import { LOCAL_TIME_ZONE, type SendOptions } from './send-options';

/** Larger sends are confirmed by typing the number of recipients. */
const MOST_WITHOUT_TYPING = 1_000;
const NONE: readonly GuessedColumn[] = [];

/** Confirms a send, a large one by typing the recipient count; shows upload progress and errors. */
export function ConfirmSend({
  open,
  messages,
  people,
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
}: {
  open: boolean;
  messages: number;
  /** Differs if some people get several messages; absent: unknown, as is who has opted out since, so `messages` is the most. */
  people?: number;
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
}) {
  const [isTyped, setTyped] = useState(false);
  const { startsAt, window, hold } = options;
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
        people === undefined
          ? t('Send up to {messages, plural, one {# message} other {# messages}}?', { messages })
          : people === messages
            ? t('Send to {people, plural, one {# person} other {# people}}?', { people })
            : t('Send {messages, number} messages to {people, plural, one {# person} other {# people}}?', {
                ...{ messages, people },
              })
      }
      lead={
        <>
          <p>{whatAndWhen({ name, templateName, options, start })}</p>
          {audience && <p>{rich('To {groups}.', { groups: <bdi>{audience.join(', ')}</bdi> })}</p>}
          {people === undefined && <p>{t('People who have opted out are skipped.')}</p>}
          {check && <Skipped check={check} />}
          {window && <p>{t('Sending hours: {hours}.', { hours: describeWindow(window) })}</p>}
          {!hold && <p className="hint">{t('Sent messages cannot be recalled. You can pause the job at any time.')}</p>}
        </>
      }
      footer={
        <>
          <Button disabled={sending} onClick={close}>
            {t('Back')}
          </Button>
          <Button variant="primary" icon="send" disabled={!ready && !sending} busy={sending} onClick={onSend}>
            {hold
              ? t('Create job')
              : startsAt
                ? t('Schedule {messages, plural, one {# message} other {# messages}}', { messages })
                : people === undefined
                  ? t('Send up to {messages, plural, one {# message} other {# messages}}', { messages })
                  : t('Send {messages, plural, one {# message} other {# messages}}', { messages })}
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
        {guesses.length > 0 && <Guesses guesses={guesses} />}
        {messages > MOST_WITHOUT_TYPING && (
          <ConfirmByTyping expected={count(messages)} label={t('Number of messages')} onReady={setTyped} />
        )}
      </form>
      {sending && sent !== null && (
        <>
          <ProgressBar
            label={t('Upload')}
            total={1}
            parts={[{ label: t('sent'), value: sent, tone: 'active' }]}
            moving
          />
          <p className="hint" role="status">
            {sent < 1 ? t('Uploading the file. If you leave now, nothing is sent.') : t('Saving the recipients…')}
          </p>
        </>
      )}
      {error !== null && !sending && <ErrorLine error={error} />}
    </Dialog>
  );
}

/** `Spring sale, template order_update, starting now.` */
function whatAndWhen({
  name,
  templateName,
  options: { window, hold },
  start,
}: Pick<Parameters<typeof ConfirmSend>[0], 'name' | 'templateName' | 'options' | 'start'>) {
  const title = <strong dir="auto">{name || templateName}</strong>;
  const what = name ? rich('{title}, template {template}', { title, template: <bdi>{templateName}</bdi> }) : title;
  if (!start) {
    if (hold) return rich('{what}, on hold: nothing is sent until the job is resumed.', { what });
    return window
      ? rich('{what}, starting now or, outside the sending hours, when they begin.', { what })
      : rich('{what}, starting now.', { what });
  }
  const values = { what, at: plannedTime(start), zone: LOCAL_TIME_ZONE };
  return hold
    ? rich('{what}, on hold: nothing is sent until the job is resumed, nor before {at} ({zone}).', values)
    : rich('{what}, starting {at} ({zone}).', values);
}

/** “Skipped: 2 invalid rows, 1 opted out.” */
function Skipped({ check: { invalidRows, optedOut, duplicateRows } }: { check: RecipientCheckDto }) {
  const rows = [
    invalidRows > 0 && t('{count, plural, one {# invalid row} other {# invalid rows}}', { count: invalidRows }),
    optedOut > 0 && t('{count, number} opted out', { count: optedOut }),
    duplicateRows > 0 && t('{count, plural, one {# repeated row} other {# repeated rows}}', { count: duplicateRows }),
  ].filter(Boolean);
  return rows.length > 0 && <p>{t('Skipped: {rows}.', { rows: rows.join(', ') })}</p>;
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
