import type { FileCheckDto, RecipientCheckDto } from '../../../client/generated/types.gen';
import { count, counted, duration, words } from '../../ui/format';
import { Note } from '../../ui/states';
import { Stat, Stats } from '../../ui/stat';
import { Time } from '../../ui/time';
import { ProgressBar } from '../../ui/progress-bar';

/** What a check found; a file has columns, too. */
export type Check = RecipientCheckDto & Partial<Pick<FileCheckDto, 'columns'>>;

const SHOWN_ROWS = 8;

/** How many people a send would reach: the count to confirm. */
export function reached({ totalRecipients, invalidRows, optedOut }: Check): number {
  return totalRecipients - invalidRows - optedOut;
}

/** Who would get the message, who not and why, and what it costs in time. */
export function CheckView({ check }: { check: Check }) {
  const { invalidRows, duplicateRows, optedOut, warnings } = check;
  return (
    <div className="stack">
      <Stats>
        <Stat label="Will get it" value={count(reached(check))} />
        <Stat
          label="Bad rows"
          value={count(invalidRows)}
          tone={invalidRows > 0 ? 'warning' : undefined}
          hint={invalidRows > 0 ? 'left out, see below' : 'none'}
        />
        <Stat label="Opted out" value={count(optedOut)} hint={optedOut > 0 ? 'they get nothing' : 'nobody'} />
        <Stat label="Duplicates" value={count(duplicateRows)} hint={duplicateRows > 0 ? 'sent once only' : 'none'} />
      </Stats>
      <Plan check={check} />
      {check.columns && <Columns columns={check.columns} />}
      {invalidRows > 0 && <BadRows check={check} />}
      {warnings.length > 0 && (
        <Note>
          <p>While reading:</p>
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
  const people = reached(check);
  const isLater = new Date(startsAt).getTime() > Date.now() + 60_000;
  return (
    <div className="send-plan">
      <p>
        {isLater ? (
          <>
            Begins <Time at={startsAt} as="exact" />
          </>
        ) : (
          'Begins as soon as you send it'
        )}
        {estimatedSeconds !== null && endsAt !== null ? (
          <>
            , takes about {duration(estimatedSeconds)}, and the last message leaves at <Time at={endsAt} as="clock" />.
          </>
        ) : (
          '. When it ends cannot be told: sending is paused now, or it would take more than a year.'
        )}
      </p>
      {tierRoom !== null && (
        <>
          <ProgressBar
            label="Room of the messaging tier"
            total={Math.max(tierRoom, newConversations)}
            parts={[
              { label: 'have room now', value: Math.min(newConversations, tierRoom), tone: 'active' },
              { label: 'wait for room', value: Math.max(0, newConversations - tierRoom), tone: 'warning' },
            ]}
          />
          <p className="hint">
            {counted(newConversations, 'person', 'people')} of these {people === 1 ? 'was' : 'were'} not written to in
            the last 24 hours; WhatsApp lets you begin with {count(tierRoom)} more now.
            {newConversations > tierRoom && ' The others follow by themselves as room comes back.'}
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
      <summary>What each column is used for</summary>
      <ul className="send-columns">
        {columns.map(({ column, header, use }) => (
          <li key={column} data-unused={use === null || undefined}>
            <code>{column}</code> <span dir="auto">{header ?? 'without a heading'}</span>
            <span className="hint">{use === 'phone' ? 'phone number' : (use ?? 'not used by this template')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function BadRows({ check: { errorsByCode, errors } }: { check: Check }) {
  return (
    <section className="send-bad-rows" aria-label="Bad rows">
      <h3>Bad rows, by reason</h3>
      <ul>
        {errorsByCode.map(({ code, count: all }) => {
          const rows = errors.filter((one) => one.code === code);
          const shown = rows.slice(0, SHOWN_ROWS);
          return (
            <li key={code}>
              <p>
                <strong>{words(code)}</strong> <span className="hint">{counted(all, 'row')}</span>
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
        You can send to the others now: the bad rows stand in the report of the job. Or correct the file and drop it
        again.
      </p>
    </section>
  );
}
