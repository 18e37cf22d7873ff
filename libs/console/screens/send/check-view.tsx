import type { FileCheckDto, RecipientCheckDto } from '../../../client/generated/types.gen';
import { count, counted, duration, humanize } from '../../ui/format';
import { Note } from '../../ui/states';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import { ProgressBar } from '../../ui/progress-bar';

/** The result of a check; `columns` only for files. */
export type Check = RecipientCheckDto & Partial<Pick<FileCheckDto, 'columns'>>;

const SHOWN_ROWS = 8;

/** Number of people who would receive the message; the count to confirm. */
export function reached({ totalRecipients, invalidRows, optedOut }: Check): number {
  return totalRecipients - invalidRows - optedOut;
}

/** The result of a check: counts, schedule, column mapping and invalid rows. */
export function CheckView({ check }: { check: Check }) {
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
      </Stats>
      <Plan check={check} />
      {check.columns && <Columns columns={check.columns} />}
      {invalidRows > 0 && <InvalidRows check={check} />}
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

function Columns({ columns }: { columns: NonNullable<Check['columns']> }) {
  const unused = columns.filter(({ use }) => use === null);
  return (
    <details className="send-others" open={unused.length > 0}>
      <summary>Column mapping</summary>
      <ul className="send-columns">
        {columns.map(({ column, header, use }) => (
          <li key={column} data-unused={use === null || undefined}>
            <code>{column}</code> <span dir="auto">{header ?? 'no header'}</span>
            <span className="hint">{use === 'phone' ? 'phone number' : (use ?? 'not used by this template')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function InvalidRows({ check: { errorsByCode, errors } }: { check: Check }) {
  return (
    <section className="send-bad-rows" aria-label="Invalid rows">
      <h3>Invalid rows by reason</h3>
      <ul>
        {errorsByCode.map(({ code, count: all }) => {
          const rows = errors.filter((one) => one.code === code);
          const shown = rows.slice(0, SHOWN_ROWS);
          return (
            <li key={code}>
              <p>
                <strong>{humanize(code)}</strong> <span className="hint">{counted(all, 'row')}</span>
              </p>
              {rows[0] && <p className="hint">{rows[0].message}</p>}
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
      <p className="hint">
        You can send to the other rows now; the job report lists the invalid rows. Or correct the file and drop it
        again.
      </p>
    </section>
  );
}
