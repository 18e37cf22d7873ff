import type { ReactNode } from 'react';
import type { RecipientCheckDto } from '../../../client/generated/types.gen';
import { rowProblemWords } from '../../app/columns/row-problem';
import { validRecipients } from '../../app/valid-recipients';
import { rich, t } from '../../language/translate';
import { ServiceText, ServiceTexts } from '../../ui/error-words';
import { count, duration } from '../../ui/format';
import { Note } from '../../ui/states';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import { ProgressBar } from '../../ui/progress-bar';

/** The result of a check. */
type Check = RecipientCheckDto;

const SHOWN_ROWS = 8;
const REPEATED = /^repeated_people: (\d+) .*first row (\d+)/;

/** Number of messages that would be sent; the count to confirm. */
export function reached(check: Check): number {
  return validRecipients(check) - check.optedOut;
}

/** Rows for people who have a row above with other contents, and the number of the first one; from the warnings of the check. */
export function repeatedRows({ warnings }: Pick<Check, 'warnings'>): { rows: number; first: number } {
  const [, rows = 0, first = 0] = warnings.map((text) => REPEATED.exec(text)).find((match) => match !== null) ?? [];
  return { rows: Number(rows), first: Number(first) };
}

/** The result of a check: counts, schedule and invalid rows, of which `rows` shows more. */
export function CheckView({
  check,
  leftOut,
  rows,
  advice,
}: {
  check: Check;
  /** Contacts left out of a send to groups. */
  leftOut?: number;
  rows?: ReactNode;
  advice: string;
}) {
  const { invalidRows, duplicateRows, optedOut } = check;
  const warnings = check.warnings.filter((text) => !REPEATED.test(text));
  const repeated = repeatedRows(check);
  return (
    <div className="stack">
      <Stats>
        <Stat
          label={t('Will receive it')}
          value={count(reached(check) - repeated.rows)}
          hint={
            repeated.rows > 0 && t('{count, plural, one {# message} other {# messages}}', { count: reached(check) })
          }
        />
        <Stat
          label={t('Invalid rows')}
          value={count(invalidRows)}
          tone={invalidRows > 0 ? 'warning' : undefined}
          hint={invalidRows > 0 ? t('skipped, see below') : t('none')}
        />
        <Stat label={t('Opted out')} value={count(optedOut)} hint={optedOut > 0 ? t('skipped') : t('none')} />
        <Stat
          label={t('Repeated rows')}
          value={count(duplicateRows + repeated.rows)}
          tone={repeated.rows > 0 ? 'warning' : undefined}
          hint={repeatedText(duplicateRows, repeated.rows)}
        />
        {leftOut !== undefined && <Stat label={t('Left out')} value={count(leftOut)} hint={t('as chosen')} />}
      </Stats>
      <Plan check={check} />
      {invalidRows > 0 && <InvalidRows check={check} rows={rows} advice={advice} />}
      {repeated.rows > 0 && (
        <Note tone="warning">
          {t(
            '{rows, plural, one {# repeated row differs} other {# repeated rows differ}} from an earlier row for the same person, who gets a message for each. The first is row {first, number}. Remove these rows unless you want this.',
            repeated,
          )}
        </Note>
      )}
      {warnings.length > 0 && (
        <Note>
          <p>{t('Warnings:')}</p>
          <ServiceTexts texts={warnings} />
        </Note>
      )}
    </div>
  );
}

/** What happens to the rows for people who already have one: only one of identical rows is sent. */
function repeatedText(identical: number, different: number): string {
  if (identical + different === 0) return t('none');
  if (different === 0) return t('sent once');
  if (identical === 0) return t('all sent, see below');
  return t('{identical, number} identical, sent once; {different, number} different, all sent', {
    identical,
    different,
  });
}

function Plan({ check }: { check: Check }) {
  const { startsAt, endsAt, estimatedSeconds, newConversations, tierRoom } = check.plan;

  const isEndKnown = estimatedSeconds !== null && endsAt !== null;
  const isLater = new Date(startsAt).getTime() > Date.now() + 60_000;
  return (
    <div className="send-plan">
      <p>
        {rich(
          isLater
            ? isEndKnown
              ? 'Starts {start}, takes about {time}, last message at {end}.'
              : 'Starts {start}. No end time: sending is paused, or it would take more than a year.'
            : isEndKnown
              ? 'Starts as soon as you send it, takes about {time}, last message at {end}.'
              : 'Starts as soon as you send it. No end time: sending is paused, or it would take more than a year.',
          {
            start: <Time at={startsAt} as="planned" />,
            time: duration(estimatedSeconds ?? 0),
            end: <Time at={endsAt ?? startsAt} as="clock" />,
          },
        )}
      </p>
      {tierRoom !== null && (
        <>
          <ProgressBar
            label={t('Remaining messaging limit')}
            total={Math.max(tierRoom, newConversations)}
            parts={[
              { label: t('within the limit'), value: Math.min(newConversations, tierRoom), tone: 'active' },
              { label: t('waiting for the limit'), value: Math.max(0, newConversations - tierRoom), tone: 'warning' },
            ]}
          />
          <p className="hint">
            {t(
              '{people, plural, one {# person has} other {# people have}} not been messaged in the last 24 hours; WhatsApp allows {room, number} more new conversations now.',
              { people: newConversations, room: tierRoom },
            )}
            {newConversations > tierRoom && ` ${t('The rest are sent automatically as the limit frees up.')}`}
          </p>
        </>
      )}
    </div>
  );
}

function InvalidRows({
  check: { errorsByCode, errors },
  rows,
  advice,
}: {
  check: Check;
  rows: ReactNode;
  advice: string;
}) {
  return (
    <section className="send-bad-rows" aria-label={t('Invalid rows')}>
      <h3>{t('Invalid rows by reason')}</h3>
      <ul>
        {errorsByCode.map(({ code, count: all }) => {
          const some = errors.filter((one) => one.code === code);
          const shown = some.slice(0, SHOWN_ROWS);
          return (
            <li key={code}>
              <p>
                <strong>{rowProblemWords(code)}</strong>{' '}
                <span className="hint">{t('{count, plural, one {# row} other {# rows}}', { count: all })}</span>
              </p>
              {!rows && some[0] && (
                <p className="hint">
                  <ServiceText text={some[0].message} />
                </p>
              )}
              {shown.length > 0 && (
                <p className="hint">
                  {rowsText(
                    shown.map(({ rowNumber }) => rowNumber),
                    all - shown.length,
                  )}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {rows}
      <p className="hint">{advice}</p>
    </section>
  );
}

function rowsText(numbers: readonly number[], more: number): string {
  const rows = numbers.map(count).join(', ');
  if (more > 0) return t('Rows {rows} and {more, number} more', { rows, more });
  return t('{count, plural, one {Row {rows}} other {Rows {rows}}}', { count: numbers.length, rows });
}
