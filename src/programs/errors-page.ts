import { FIELD_CODES_OF_PLATFORM } from './error-codes';
import { knownPlatformProblems } from '../infra/cloud-api/error-table';
import { errorCatalogue } from '../infra/http/errors/error-catalogue';
import type { Explanation } from '../kernel/explanation';
import { FIELD_PROBLEMS } from '../kernel/field-problems';
import { OWN_PROBLEMS } from '../kernel/message-problems';
import { HALTS, JOB_PAUSES, THROTTLES } from '../modules/bulk-jobs/domain/bulk-job';
import { JOB_FAILURES } from '../modules/delivery/domain/job-stop';

/** The page `docs/errors.md`: every code of the API with its cause and remedy. */
export function errorsPage(): string {
  return [
    '# Errors',
    'Every error code of the API with its cause and remedy. Codes are stable and for programs; `message` is for ' +
      'people. `npm run openapi` generates this page from the code.',
    '## Responses',
    'The `code` of an error response. The body also has `error`, `message`, `statusCode` and `requestId`; the last ' +
      'column lists further fields.',
    table(
      ['status', 'code', 'cause', 'what to do', 'fields'],
      errorCatalogue().map(({ status, code, when, remedy, errors, extra = {} }) => {
        const fields = [...(errors ? ['errors'] : []), ...Object.keys(extra)];
        return [String(status), coded(code), when, remedy, fields.map(coded).join(', ')];
      }),
    ),
    '## Fields and rows',
    'The `code` of an entry of `errors`: the problem with one field of a request, one row of a file, or one contact ' +
      'of a list.',
    explained(FIELD_PROBLEMS),
    `If the platform refused a field of a template, the code is one of [these](#messages-and-recipients): ` +
      `${FIELD_CODES_OF_PLATFORM.map(coded).join(', ')}.`,
    '## Messages and recipients',
    "The `errorCode` of a job's recipient and the `error.code` of a message, if this service found the problem:",
    explained(OWN_PROBLEMS),
    "If the platform reported the problem (`platformCode` is the platform's own number). `recipient` and `message`: " +
      'only this message fails. `job`: a single message fails, a job pauses. `throttle` and `outage`: the service waits ' +
      'and retries; a message fails with the code after too many refusals.',
    platformTable(),
    '## Paused jobs',
    'The `pauseReason.code` of a paused job: any problem of class `job` above, or one of these:',
    explained(JOB_PAUSES),
    '## Failed and cancelled jobs',
    'The `error.code` of a job that the service ended:',
    explained(JOB_FAILURES),
    '## Waiting jobs',
    'The `throttled.reason` of a job that waits:',
    explained({ ...THROTTLES, ...HALTS }),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Cause and remedy of every code of a message or recipient, for the console. */
export function messageExplanations(): Record<string, Explanation> {
  const own = Object.entries<Explanation>(OWN_PROBLEMS);
  const reported = knownPlatformProblems().map(({ problem, when, remedy }) => [problem, { when, remedy }] as const);
  const all = [...own, ...reported].map(([code, { when, remedy }]) => [code, { when, remedy }] as const);
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function platformTable(): string {
  const rows = knownPlatformProblems().map(({ problem, classes, codes, when, remedy }) => {
    return [coded(problem), classes.join(', '), codes.join(', '), when, remedy];
  });
  return table(['code', 'class', 'platform codes', 'cause', 'what to do'], rows);
}

function explained(explanations: Readonly<Record<string, Explanation>>): string {
  const rows = Object.entries(explanations).map(([code, { when, remedy }]) => [coded(code), when, remedy]);
  return table(['code', 'cause', 'what to do'], rows);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function coded(code: string): string {
  return `\`${code}\``;
}
