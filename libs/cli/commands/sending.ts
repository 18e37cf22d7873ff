import type {
  FileCheckDto,
  RecipientCheckDto,
  SendPlanDto,
  SentMessageDto,
  SentReplyDto,
} from '../../client/generated/types.gen';
import type { ImportOptions } from '../../client/messaging-client';
import { phoneDigits } from '../../client/phone-digits';
import { EXIT, Interrupted, NOTHING_SENT, UsageError } from '../exit-codes';
import { localTime } from '../local-time';
import { warningText } from '../option-names';
import { type FileFlags, isUserId, numbered, type WindowOption } from '../option-values';
import { counted } from '../output';
import { sendingCall } from '../sending-call';
import type { Session } from '../session';
import { adviceOnColumns, suggestedOption } from './column-advice';
import { findGroup, findSender, onlyLanguageOf } from './found';
import { follow } from './jobs';
import { noteChecking, peopleFileOf, refusesInvalid } from './people-file';
import { errorLines } from './row-errors';

/** Options of a single message. */
export interface SendFlags {
  template: string;
  language?: string;
  /** Number or id. */
  sender?: string;
  mediaUrl?: string;
  payload?: Record<string, string>;
  reference?: string;
  validFor?: number;
  idempotencyKey?: string;
}

/** Options of an import or a group send. */
export interface BulkFlags extends SendFlags {
  name?: string;
  at?: string;
  sendWindow?: WindowOption;
  timeZone?: string;
  exclude?: string[];
  notReachedBy?: string;
  check?: boolean;
  /** Undefined: to the end, unless it starts later. */
  wait?: boolean;
}

/** Additional options of a group send. */
export interface GroupFlags extends BulkFlags {
  value?: string[];
  attribute?: string[];
  mediaAttribute?: string;
}

/** Additional options of an import. */
export interface ImportFlags extends BulkFlags, FileFlags<ImportOptions['columns']> {
  keepDuplicates?: boolean;
  onePerPerson?: boolean;
}

/** A send that starts within this time is followed like one that starts at once. */
const AT_ONCE_MS = 60_000;
const NO_ANSWER =
  'The platform did not answer: the message may have been sent. Do not send it again before its status is known';

/** `messaging send <phone or user id> [values...]` */
export async function send(session: Session, to: string, values: string[], flags: SendFlags): Promise<number> {
  session.undone = NOTHING_SENT;
  const recipient = recipientOf(to);
  const sender = await senderOf(session, flags);
  const message = {
    ...recipient,
    ...(await templateOf(session, flags, sender)),
    ...sender,
    ...(values.length > 0 && { templateParameters: values.map((text) => ({ text })) }),
  };
  const { idempotencyKey } = flags;
  const sent = await sendingCall(session, 'messaging messages list', (client, signal) =>
    client.sendTemplate(message, { signal, idempotencyKey }),
  );
  return reportSent(session, sent);
}

/** Writes the status of a message that the service has accepted; returns the exit code. */
export function reportSent(session: Session, sent: SentMessageDto | SentReplyDto): number {
  session.out.result(sent, () => `${sent.status}  ${sent.messageId}`);
  if (sent.status === 'Unknown')
    session.out.note(`${NO_ANSWER}: \`messaging messages show ${sent.messageId}\`.`, 'yellow');
  if (session.signal.aborted) throw new Interrupted('Interrupted; the service already has the message.');
  return sent.status === 'Unknown' ? EXIT.unknown : EXIT.done;
}

function recipientOf(text: string): { to: string } | { userId: string } {
  if (isUserId(text)) return { userId: text };
  const to = phoneDigits(text);
  if (to !== null) return { to };
  throw new UsageError(`${text} is not a phone number: write one number, such as +49 151 12345678, or a user id.`);
}

/** `messaging import <file>`: checks, previews, asks, sends, follows. */
export async function importFile(session: Session, path: string, flags: ImportFlags): Promise<number> {
  session.undone = NOTHING_SENT;
  const { form: fileForm, saveBadRows } = await peopleFileOf(path, flags);
  const client = await session.client();
  const job = jobOf(flags);
  const sender = await senderOf(session, flags);
  const form: ImportOptions = {
    ...fileForm,
    ...(await templateOf(session, flags, sender)),
    ...job,
    ...sender,
    ...(await exclusionsOf(session, flags)),
    ...(flags.keepDuplicates && { onDuplicates: 'keep' as const }),
    ...(flags.onePerPerson && { onDuplicates: 'onePerPerson' as const }),
  };
  noteChecking(session, path);
  const check = await client.checkFile(form, { signal: session.signal });
  showCheck(session, flags, check);
  const advice = flags.columns ? '' : adviceOnColumns(check);
  if (advice !== '') session.out.note(advice);
  if (advice !== '') {
    const guess = await client.checkFile({ ...form, columns: 'auto' }, { signal: session.signal });
    if (reached(guess) > reached(check))
      session.out.note(`For example, if these columns are right:\n  ${suggestedOption(guess)}`);
  }
  await saveBadRows(session, check.invalidRows, (format) => client.badRows(form, format, { signal: session.signal }));
  if (flags.check) return checked(session, check);
  if (refusesInvalid(session, flags, { invalid: check.invalidRows, check, outcome: 'sent' })) return EXIT.refused;
  if (reached(check) === 0) return sentToNobody(session, check);
  if (!(await agreed(session, flags, check))) return EXIT.refused;
  const { idempotencyKey } = flags;
  const { jobId } = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.importFile(form, { signal, idempotencyKey }),
  );
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return followed(session, jobId, flags, check);
}

/** `messaging group <groups...>`: the same for contact groups. */
export async function sendToGroups(session: Session, names: string[], flags: GroupFlags): Promise<number> {
  session.undone = NOTHING_SENT;
  const client = await session.client();
  const { value, attribute, mediaAttribute } = flags;
  if (value && attribute) throw new UsageError('Use either --value or --attribute.');
  const groupIds = await groupIdsOf(session, names);
  const job = jobOf(flags);
  const sender = await senderOf(session, flags);
  const send = {
    ...(groupIds.length === 1 ? { groupId: groupIds[0]! } : { groupIds }),
    ...(await templateOf(session, flags, sender)),
    ...job,
    ...sender,
    ...(value && { parameterDefaults: numbered(value) }),
    ...(attribute && { values: attribute.map(attributeValue) }),
    ...(mediaAttribute && { fromAttributes: { headerMediaUrl: mediaAttribute } }),
    ...(await exclusionsOf(session, flags)),
  };
  const check = await client.checkGroup(send, { signal: session.signal });
  showCheck(session, flags, check);
  if (flags.check) return checked(session, check);
  if (reached(check) === 0) return sentToNobody(session, check);
  if (!(await agreed(session, flags, check))) return EXIT.refused;
  const { idempotencyKey } = flags;
  const { jobId } = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.sendToGroup(send, { signal, idempotencyKey }),
  );
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return followed(session, jobId, flags, check);
}

async function groupIdsOf(session: Session, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await findGroup(session, name)).id);
  return ids;
}

/** Whom the send leaves out. */
async function exclusionsOf(session: Session, { exclude, notReachedBy }: BulkFlags) {
  return {
    ...(exclude && { excludeGroupIds: await groupIdsOf(session, exclude) }),
    ...(notReachedBy && { notReachedBy }),
  };
}

/** `First name=there`: an attribute with its default. */
function attributeValue(text: string): { attribute: string; default?: string } {
  const [attribute = '', ...rest] = text.split('=');
  return { attribute, ...(rest.length > 0 && { default: rest.join('=') }) };
}

async function senderOf(session: Session, { sender }: SendFlags): Promise<{ senderId?: string }> {
  return sender === undefined ? {} : { senderId: await findSender(session, sender) };
}

/** The template in the given language, otherwise in its only one. */
async function templateOf(session: Session, flags: SendFlags, { senderId }: { senderId?: string }) {
  const { template, mediaUrl, payload, reference, validFor } = flags;
  const language = flags.language ?? (await onlyLanguageOf(session, template, senderId));
  return {
    templateName: template,
    ...(language && { languageCode: language }),
    ...(mediaUrl && { headerMediaUrl: mediaUrl }),
    ...(payload && { quickReplyPayloads: payload }),
    ...(reference && { reference }),
    ...(validFor && { validForSeconds: validFor }),
  };
}

/** The options of a job. A window, and a time without offset, are local in `--time-zone`, by default that of this computer. */
function jobOf(flags: BulkFlags) {
  const { name, at, sendWindow, timeZone } = flags;
  if (at === undefined && sendWindow === undefined && timeZone !== undefined) {
    throw new UsageError('--time-zone belongs to --at or --send-window.');
  }
  const here = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isLocal = at !== undefined && !/(Z|[+-]\d{2}:\d{2})$/.test(at);
  return {
    ...(name && { name }),
    ...(at && { scheduledAt: at }),
    ...(isLocal && { timeZone: here }),
    ...(sendWindow && { sendWindow: { ...sendWindow, timeZone: here } }),
  };
}

function showCheck({ out }: Session, flags: BulkFlags, check: FileCheckDto | RecipientCheckDto): void {
  const { totalRecipients, invalidRows, duplicateRows, optedOut, leftOut } = check;
  const { errorsByCode, errors, sample, plan, warnings } = check;
  out.note(
    `${counted(totalRecipients, 'recipient')}: ${invalidRows} invalid; ${counted(duplicateRows, 'duplicate')}, ` +
      `${optedOut} opted out${leftOut === undefined ? '' : `, ${leftOut} left out`}`,
    'bold',
  );
  for (const line of errorLines(errorsByCode, errors)) out.note(`  ${line}`);
  for (const warning of warnings) out.note(`  ${warningText(warning)}`, 'yellow');
  const first = sample[0];
  if (first)
    out.note(`First message, to ${first.phone ?? first.userId}:\n${first.renderedText.replace(/^/gm, '  | ')}`);
  if (reached(check) === 0) return;
  const starts = laterStart(flags, plan);
  const facts = [
    ...(starts === null ? [] : [`start ${starts}`]),
    ...(plan.estimatedSeconds === null ? [] : [`take about ${duration(plan.estimatedSeconds)}`]),
  ];
  if (facts.length > 0) out.note(`It would ${facts.join(' and ')}.`);
}

/** When a send with a time or a window starts, if not at once; null: at once. */
function laterStart({ at, sendWindow, timeZone }: BulkFlags, { startsAt }: SendPlanDto): string | null {
  const isLater = Date.parse(startsAt) - Date.now() > AT_ONCE_MS;
  return (at ?? sendWindow) !== undefined && isLater ? localTime(startsAt, timeZone) : null;
}

/** Follows an accepted job to its end; one that starts later only on request. */
function followed(
  session: Session,
  jobId: string,
  flags: BulkFlags,
  { plan }: FileCheckDto | RecipientCheckDto,
): Promise<number> {
  const starts = laterStart(flags, plan);
  if (starts !== null && !flags.wait)
    session.out.note(`It starts ${starts}: \`messaging jobs watch ${jobId}\` follows it.`);
  return follow(session, jobId, flags.wait ?? starts === null);
}

/** Number of messages of the send: `totalRecipients` excludes duplicates, but includes invalid rows and opted-out people. */
function reached({ totalRecipients, invalidRows, optedOut }: RecipientCheckDto): number {
  return totalRecipients - invalidRows - optedOut;
}

function checked({ out }: Session, check: FileCheckDto | RecipientCheckDto): number {
  if (out.json) out.result(check, () => '');
  return check.invalidRows > 0 ? EXIT.someFailed : EXIT.done;
}

/** The approximate duration in words: seconds up to two minutes, minutes up to two hours, then hours. */
function duration(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The end of a send without recipients, with the exit code of its check if rows are invalid. */
function sentToNobody({ out }: Session, check: FileCheckDto | RecipientCheckDto): number {
  out.problem('No valid recipients; nothing was sent.');
  if (out.json) out.result(check, () => '');
  return check.invalidRows > 0 ? EXIT.someFailed : EXIT.refused;
}

async function agreed(session: Session, flags: BulkFlags, check: FileCheckDto | RecipientCheckDto): Promise<boolean> {
  const starts = laterStart(flags, check.plan);
  const what = `Send to ${counted(reached(check), 'recipient')}${starts === null ? '' : `, starting ${starts}`}?`;
  return session.confirmed(what + skippedText(check), NOTHING_SENT);
}

/** ` Skipped: 2 invalid, 1 opted out.`; empty if everyone gets a message. */
function skippedText({ invalidRows, optedOut, duplicateRows }: RecipientCheckDto): string {
  const skipped = [
    ...(invalidRows > 0 ? [`${invalidRows} invalid`] : []),
    ...(optedOut > 0 ? [`${optedOut} opted out`] : []),
    ...(duplicateRows > 0 ? [counted(duplicateRows, 'duplicate')] : []),
  ];
  return skipped.length > 0 ? ` Skipped: ${skipped.join(', ')}.` : '';
}
