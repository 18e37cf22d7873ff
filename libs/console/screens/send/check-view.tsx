import type { ReactNode } from 'react';
import type { RecipientCheckDto } from '../../../client/generated/types.gen';
import { errorTitle } from '../../api/error-title';
import { AmbiguousNumbersNote } from '../../app/columns/ambiguous-numbers-note';
import { UnlikelyNumbersNote } from '../../app/columns/unlikely-numbers-note';
import { validRecipients } from '../../app/valid-recipients';
import { rich, t } from '../../language/translate';
import { ServiceText, ServiceTexts } from '../../ui/error-words';
import { count, duration } from '../../ui/format';
import { Button } from '../../ui/button';
import { Note } from '../../ui/states';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import { useNow } from '../../ui/now';
import { ProgressBar } from '../../ui/progress-bar';
import { otherWarnings, repeatedRows } from '../../app/columns/check-warnings';
import { LocalDisplayNote } from '../../app/columns/local-display-note';
import { endOf, isPlannedLater, problemOf, type SendOptions } from './send-options';

/** The result of a check. */
type Check = RecipientCheckDto;

const SHOWN_ROWS = 8;
/** Number of messages that would be sent; the count to confirm. */
export function reached(check: Check): number {
  return validRecipients(check) - check.optedOut;
}

/** The result of a check: counts, schedule and invalid rows, of which `rows` shows more. */
export function CheckView({
  check,
  options,
  placeholders,
  rows,
  advice,
  onCountry,
  onePerPerson,
}: {
  check: Check;
  /** With problems, no plan is shown. */
  options: SendOptions;
  /** Names of the values, in order, of a send to groups, whose contacts have no rows. */
  placeholders?: readonly string[];
  rows?: ReactNode;
  advice: string;
  /** Reads a file again with the country of numbers without a code. */
  onCountry?: (country: string) => void;
  /** Of a file: whether each person gets one message only. */
  onePerPerson?: { isChosen: boolean; onChange: (isChosen: boolean) => void };
}) {
  const { invalidRows, duplicateRows, optedOut, leftOut } = check;
  const warnings = otherWarnings(check);
  const repeated = repeatedRows(check);
  return (
    <div className="stack">
      <AmbiguousNumbersNote warnings={check.warnings} onCountry={onCountry} />
      <UnlikelyNumbersNote warnings={check.warnings} />
      <LocalDisplayNote check={check} />
      <Stats>
        <Stat
          label={t('Will receive it')}
          value={count(reached(check) - repeated.rows)}
          hint={
            repeated.rows > 0 && t('{count, plural, one {# message} other {# messages}}', { count: reached(check) })
          }
        />
        <Stat
          label={t('Invalid')}
          value={count(invalidRows)}
          tone={invalidRows > 0 ? 'warning' : undefined}
          hint={invalidRows > 0 ? t('skipped, see below') : t('none')}
        />
        <Stat label={t('Opted out')} value={count(optedOut)} hint={optedOut > 0 ? t('skipped') : t('none')} />
        <Stat
          label={t('Repeated')}
          value={count(duplicateRows + repeated.rows)}
          tone={repeated.rows > 0 ? 'warning' : undefined}
          hint={repeatedText(duplicateRows, repeated.rows)}
        />
        {leftOut !== undefined && <Stat label={t('Left out')} value={count(leftOut)} hint={t('as chosen')} />}
      </Stats>
      {problemOf(options, new Date()) === null && <Plan check={check} hold={options.hold} />}
      {invalidRows > 0 && <InvalidRows {...{ check, placeholders, rows, advice }} />}
      {repeated.rows > 0 && (
        <Note tone="warning">
          {t(
            '{rows, plural, one {# repeated row differs} other {# repeated rows differ}} from an earlier row for the same person, who gets a message for each.',
            repeated,
          )}{' '}
          {repeated.earlier > 0
            ? t('The first is row {first, number}, for the person of row {earlier, number}.', repeated)
            : t('The first is row {first, number}.', repeated)}{' '}
          {onePerPerson && (
            <Button small onClick={() => onePerPerson.onChange(true)}>
              {t('Send only the first row of each person')}
            </Button>
          )}
        </Note>
      )}
      {onePerPerson?.isChosen && (
        <Note>
          {t('Each person gets one message, that of their first valid row.')}{' '}
          <Button small onClick={() => onePerPerson.onChange(false)}>
            {t('Send all rows')}
          </Button>
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

function Plan({ check, hold }: { check: Check; hold: boolean }) {
  const now = useNow();
  const { startsAt, estimatedSeconds, newConversations, tierRoom } = check.plan;
  const isLater = isPlannedLater(startsAt, now);
  const end = endOf(check.plan, now);
  return (
    <div className="send-plan">
      <p>
        {rich(
          hold
            ? isLater
              ? 'Starts once you send the job, {start} at the earliest.'
              : 'Starts once you send the job.'
            : isLater
              ? end
                ? 'Starts {start}, takes about {time}, last message at {end}.'
                : 'Starts {start}. No end time: sending is paused, or it would take more than a year.'
              : end
                ? 'Starts as soon as you send it, takes about {time}, last message at {end}.'
                : 'Starts as soon as you send it. No end time: sending is paused, or it would take more than a year.',
          {
            start: <Time at={startsAt} as="planned" />,
            time: duration(estimatedSeconds ?? 0),
            end: <Time at={end?.toISOString() ?? startsAt} as="clock" />,
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
  placeholders,
  rows,
  advice,
}: {
  check: Check;
  placeholders?: readonly string[];
  rows: ReactNode;
  advice: string;
}) {
  return (
    <section className="send-bad-rows" aria-label={placeholders ? t('Invalid contacts') : t('Invalid rows')}>
      <h3>{placeholders ? t('Invalid contacts by reason') : t('Invalid rows by reason')}</h3>
      <ul>
        {errorsByCode.map(({ code, count: all }) => {
          const some = errors.filter((one) => one.code === code);
          const shown = some.slice(0, SHOWN_ROWS);
          return (
            <li key={code}>
              <p>
                <strong>{errorTitle(code)}</strong>{' '}
                <span className="hint">
                  {placeholders
                    ? t('{count, plural, one {# contact} other {# contacts}}', { count: all })
                    : t('{count, plural, one {# row} other {# rows}}', { count: all })}
                </span>
              </p>
              {!rows && some[0] && (
                <p className="hint">
                  {placeholders && code === 'parameter_missing' ? (
                    t('No value for {placeholders}.', { placeholders: placeholdersOf(some, placeholders) })
                  ) : (
                    <ServiceText text={some[0].message} />
                  )}
                </p>
              )}
              {shown.length > 0 && (
                <p className="hint">
                  {placeholders
                    ? peopleText(
                        shown.map(({ person = '' }) => person),
                        all - shown.length,
                      )
                    : rowsText(
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

function peopleText(people: readonly string[], more: number): string {
  const names = people.join(', ');
  return more > 0 ? t('{names} and {more, number} more', { names, more }) : names;
}

/** The placeholders that errors name, as in a template. */
function placeholdersOf(errors: Check['errors'], names: readonly string[]): string {
  const numbers = new Set(errors.map(({ field }) => Number(/^parameter (\d+)$/.exec(field)?.[1])));
  return [...numbers].map((number) => names[number - 1] ?? `{{${number}}}`).join(', ');
}
