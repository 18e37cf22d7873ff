import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileCheckDto, RecipientCheckDto } from '../../client/generated/types.gen';
import type { ImportOptions } from '../../client/messaging-client';
import { EXIT, goesOn, Interrupted, UsageError } from '../exit-codes';
import type { Session } from '../session';
import { findGroup } from './found';
import { follow } from './jobs';

/** Options of a single message. */
export interface SendFlags {
  template: string;
  language?: string;
  reference?: string;
  validFor?: number;
  idempotencyKey?: string;
}

/** Options of an import or a group send. */
export interface BulkFlags extends SendFlags {
  check?: boolean;
  wait: boolean;
}

/** Options of an import alone. */
export interface ImportFlags extends BulkFlags {
  header?: ImportOptions['hasHeader'];
  rejectInvalid?: boolean;
  keepDuplicates?: boolean;
}

const LOOK_FOR_JOB_MS = 5_000;
const SHOWN_ERRORS = 5;

/** `messaging send <phone> [values...]` */
export async function send(session: Session, to: string, values: string[], flags: SendFlags): Promise<number> {
  const client = await session.client();
  const message = {
    to: to.replace(/[^\d]/g, ''),
    ...templateOf(flags),
    ...(values.length > 0 && { templateParameters: values.map((text) => ({ text })) }),
  };
  const sent = await client.sendTemplate(message, { signal: session.signal, idempotencyKey: flags.idempotencyKey });
  session.out.result(sent, () => `${sent.status}  ${sent.messageId}`);
  return EXIT.done;
}

/** `messaging import <file>`: checks, shows, asks, sends, follows. */
export async function importFile(session: Session, file: string, flags: ImportFlags): Promise<number> {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const client = await session.client();
  const form: ImportOptions = {
    file,
    ...templateOf(flags),
    ...(flags.header && { hasHeader: flags.header }),
    ...(flags.rejectInvalid && { onInvalidRows: 'reject' as const }),
    ...(flags.keepDuplicates && { onDuplicates: 'keep' as const }),
  };
  const check = await client.checkFile(form, { signal: session.signal });
  showCheck(session, check);
  if (flags.check) return checked(session, check);
  if (!(await agreed(session, check))) return EXIT.refused;
  const begun = new Date();
  const accepted = client.importFile(form, { signal: session.signal, idempotencyKey: flags.idempotencyKey });
  const { jobId } = await accepted.catch((error: unknown) => afterInterrupt(session, basename(file), begun, error));
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return follow(session, jobId, flags.wait);
}

/** `messaging group <group>`: the same for a contact group. */
export async function sendToGroup(session: Session, name: string, flags: BulkFlags): Promise<number> {
  const client = await session.client();
  const group = await findGroup(session, name);
  const send = { groupId: group.id, ...templateOf(flags) };
  const check = await client.checkGroup(send, { signal: session.signal });
  showCheck(session, check);
  if (flags.check) return checked(session, check);
  if (!(await agreed(session, check))) return EXIT.refused;
  const { jobId } = await client.sendToGroup(send, { signal: session.signal, idempotencyKey: flags.idempotencyKey });
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return follow(session, jobId, flags.wait);
}

function templateOf({ template, language, reference, validFor }: SendFlags) {
  return {
    templateName: template,
    ...(language && { languageCode: language }),
    ...(reference && { reference }),
    ...(validFor && { validForSeconds: validFor }),
  };
}

function showCheck({ out }: Session, check: FileCheckDto | RecipientCheckDto): void {
  const { totalRecipients, invalidRows, duplicateRows, optedOut, errorsByCode, errors, sample, plan, warnings } = check;
  out.note(
    `${totalRecipients} recipients, of whom ${invalidRows} cannot be sent to; ${duplicateRows} duplicates, ${optedOut} opted out`,
    'bold',
  );
  for (const { code, count } of errorsByCode) out.note(`  ${count} × ${code}`);
  for (const { rowNumber, message } of errors.slice(0, SHOWN_ERRORS)) out.note(`  row ${rowNumber}: ${message}`);
  for (const warning of warnings) out.note(`  ${warning}`, 'yellow');
  const first = sample[0];
  if (first) out.note(`First message, to ${first.phone}:\n${first.renderedText.replace(/^/gm, '  | ')}`);
  if (plan.estimatedSeconds !== null) out.note(`It would take about ${Math.max(1, plan.estimatedSeconds)} s.`);
}

function checked({ out }: Session, check: FileCheckDto | RecipientCheckDto): number {
  if (out.json) out.result(check, () => '');
  return check.invalidRows > 0 ? EXIT.someFailed : EXIT.done;
}

async function agreed(session: Session, { totalRecipients, invalidRows }: RecipientCheckDto): Promise<boolean> {
  const yes = await session.confirmed(`Send to ${totalRecipients - invalidRows} recipients?`);
  if (!yes) session.out.note('Nothing was sent.');
  return yes;
}

/** After Ctrl-C while the file was on its way nobody knows whether it was accepted: looks for its job, and says. */
async function afterInterrupt(session: Session, fileName: string, begun: Date, error: unknown): Promise<never> {
  if (!session.signal.aborted) throw error;
  const client = await session.client();
  const signal = AbortSignal.timeout(LOOK_FOR_JOB_MS);
  // A second earlier: the clocks of the two sides differ.
  const createdAfter = new Date(begun.getTime() - 1_000).toISOString();
  try {
    for await (const { jobId } of client.jobs({ createdAfter, kind: 'Import' }, { signal })) {
      if ((await client.job(jobId, { signal })).fileName === fileName) throw new Interrupted(goesOn(jobId));
    }
  } catch (found) {
    if (found instanceof Interrupted) throw found;
    throw new Interrupted('Interrupted while the file was sent. Whether it was accepted shows `messaging jobs list`.');
  }
  throw new Interrupted('Interrupted before the service accepted the file: there is no job, and nothing was sent.');
}
