import type { ReactNode } from 'react';
import type { RecipientCheckDto } from '../../../client/generated/types.gen';
import { count, counted, duration, humanize } from '../../ui/format';
import { Note } from '../../ui/states';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import { ProgressBar } from '../../ui/progress-bar';

/** The result of a check. */
type Check = RecipientCheckDto;

const SHOWN_ROWS = 8;

/** Number of people who would receive the message; the count to confirm. */
export function reached({ totalRecipients, invalidRows, optedOut }: Check): number {
  return totalRecipients - invalidRows - optedOut;
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
  const { invalidRows, duplicateRows, optedOut, warnings } = check;
  return (
    <div className="stack">
      <Stats>
        <Stat label="Will receive it" value={count(reached(check))} />
        <Stat
          label="Invalid rows"
          value={count(invalidRows)}
          tone={invalidRows > 0 ? 'warning' : undefined}
          hint={invalidRows > 0 ? 'skipped, see below' : 'none'}
        />
        <Stat label="Opted out" value={count(optedOut)} hint={optedOut > 0 ? 'skipped' : 'none'} />
        <Stat label="Duplicates" value={count(duplicateRows)} hint={duplicateRows > 0 ? 'sent once' : 'none'} />
        {leftOut !== undefined && <Stat label="Left out" value={count(leftOut)} hint="as chosen" />}
      </Stats>
      <Plan check={check} />
      {invalidRows > 0 && <InvalidRows check={check} rows={rows} advice={advice} />}
      {warnings.length > 0 && (
        <Note>
          <p>Warnings:</p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  );
}

function Plan({ check }: { check: Check }) {
  const { startsAt, endsAt, estimatedSeconds, newConversations, tierRoom } = check.plan;

  const isLater = new Date(startsAt).getTime() > Date.now() + 60_000;
  return (
    <div className="send-plan">
      <p>
        {isLater ? (
          <>
            Starts <Time at={startsAt} as="exact" />
          </>
        ) : (
          'Starts as soon as you send it'
        )}
        {estimatedSeconds !== null && endsAt !== null ? (
          <>
            , takes about {duration(estimatedSeconds)}, last message at <Time at={endsAt} as="clock" />.
          </>
        ) : (
          '. No end time: sending is paused, or it would take more than a year.'
        )}
      </p>
      {tierRoom !== null && (
        <>
          <ProgressBar
            label="Remaining messaging limit"
            total={Math.max(tierRoom, newConversations)}
            parts={[
              { label: 'within the limit', value: Math.min(newConversations, tierRoom), tone: 'active' },
              { label: 'waiting for the limit', value: Math.max(0, newConversations - tierRoom), tone: 'warning' },
            ]}
          />
          <p className="hint">
            {counted(newConversations, 'person', 'people')} {newConversations === 1 ? 'has' : 'have'} not been messaged
            in the last 24 hours; WhatsApp allows {count(tierRoom)} more new conversations now.
            {newConversations > tierRoom && ' The rest are sent automatically as the limit frees up.'}
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
    <section className="send-bad-rows" aria-label="Invalid rows">
      <h3>Invalid rows by reason</h3>
      <ul>
        {errorsByCode.map(({ code, count: all }) => {
          const some = errors.filter((one) => one.code === code);
          const shown = some.slice(0, SHOWN_ROWS);
          return (
            <li key={code}>
              <p>
                <strong>{humanize(code)}</strong> <span className="hint">{counted(all, 'row')}</span>
              </p>
              {!rows && some[0] && <p className="hint">{some[0].message}</p>}
              {shown.length > 0 && (
                <p className="hint">
                  {shown.length === 1 ? 'Row ' : 'Rows '}
                  {shown.map(({ rowNumber }) => count(rowNumber)).join(', ')}
                  {all > shown.length && ` and ${count(all - shown.length)} more`}
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
