import type { FileCheckDto, RecipientCheckDto, SentMessageDto, SentReplyDto } from '../../client/generated/types.gen';
import type { ImportOptions } from '../../client/messaging-client';
import { phoneDigits } from '../../client/phone-digits';
import { EXIT, Interrupted, UsageError } from '../exit-codes';
import { checkTarget, formatOf, sourceOf, writeStream } from '../local-files';
import { isUserId, numbered, type WindowOption } from '../option-values';
import { counted } from '../output';
import { sendingCall } from '../sending-call';
import type { Session } from '../session';
import { findGroup, findSender } from './found';
import { follow } from './jobs';
import { adviceOnColumns, errorLines } from './row-errors';

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
  check?: boolean;
  wait: boolean;
}

/** Additional options of a group send. */
export interface GroupFlags extends BulkFlags {
  value?: string[];
  attribute?: string[];
  mediaAttribute?: string;
  exclude?: string[];
  notReachedBy?: string;
}

/** Additional options of an import. */
export interface ImportFlags extends BulkFlags {
  header?: ImportOptions['hasHeader'];
  defaultCountry?: string;
  columns?: ImportOptions['columns'];
  badRows?: string;
  rejectInvalid?: boolean;
  keepDuplicates?: boolean;
}

const NO_ANSWER =
  'The platform did not answer: the message may have been sent. Do not send it again before its status is known';

/** `messaging send <phone or user id> [values...]` */
export async function send(session: Session, to: string, values: string[], flags: SendFlags): Promise<number> {
  const message = {
    ...recipientOf(to),
    ...templateOf(flags),
    ...(await senderOf(session, flags)),
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
  const { badRows } = flags;
  const badRowsFormat = formatOf({ output: badRows });
  if (badRows) checkTarget(badRows);
  const file = await sourceOf(path);
  const client = await session.client();
  const form: ImportOptions = {
    file,
    ...jobOf(flags),
    ...(await senderOf(session, flags)),
    ...(flags.header && { hasHeader: flags.header }),
    ...(flags.defaultCountry && { defaultCountry: flags.defaultCountry }),
    ...(flags.columns && { columns: flags.columns }),
    ...(flags.rejectInvalid && { onInvalidRows: 'reject' as const }),
    ...(flags.keepDuplicates && { onDuplicates: 'keep' as const }),
  };
  const check = await client.checkFile(form, { signal: session.signal });
  showCheck(session, check);
  if (badRows && check.invalidRows > 0) {
    await writeStream(await client.badRows(form, badRowsFormat, { signal: session.signal }), badRows, session.signal);
    session.out.note(`Invalid rows written to ${badRows}`);
  }
  if (flags.check) return checked(session, check);
  if (flags.rejectInvalid && check.invalidRows > 0) {
    session.out.problem('Nothing was sent: correct the invalid rows, or omit --reject-invalid to skip them.');
    return EXIT.refused;
  }
  if (!(await agreed(session, check))) return EXIT.refused;
  const { idempotencyKey } = flags;
  const { jobId } = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.importFile(form, { signal, idempotencyKey }),
  );
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return follow(session, jobId, flags.wait);
}

/** `messaging group <groups...>`: the same for contact groups. */
export async function sendToGroups(session: Session, names: string[], flags: GroupFlags): Promise<number> {
  const client = await session.client();
  const { value, attribute, mediaAttribute, exclude, notReachedBy } = flags;
  if (value && attribute) throw new UsageError('Use either --value or --attribute.');
  const idsOf = async (groups: string[]) => {
    const ids: string[] = [];
    for (const name of groups) ids.push((await findGroup(session, name)).id);
    return ids;
  };
  const groupIds = await idsOf(names);
  const send = {
    ...(groupIds.length === 1 ? { groupId: groupIds[0]! } : { groupIds }),
    ...jobOf(flags),
    ...(await senderOf(session, flags)),
    ...(value && { parameterDefaults: numbered(value) }),
    ...(attribute && { values: attribute.map(attributeValue) }),
    ...(mediaAttribute && { fromAttributes: { headerMediaUrl: mediaAttribute } }),
    ...(exclude && { excludeGroupIds: await idsOf(exclude) }),
    ...(notReachedBy && { notReachedBy }),
  };
  const check = await client.checkGroup(send, { signal: session.signal });
  showCheck(session, check);
  if (flags.check) return checked(session, check);
  if (!(await agreed(session, check))) return EXIT.refused;
  const { idempotencyKey } = flags;
  const { jobId } = await sendingCall(session, 'messaging jobs list', (sending, signal) =>
    sending.sendToGroup(send, { signal, idempotencyKey }),
  );
  session.out.note(`Accepted: job ${jobId}`, 'green');
  return follow(session, jobId, flags.wait);
}

/** `First name=there`: an attribute with its default. */
function attributeValue(text: string): { attribute: string; default?: string } {
  const [attribute = '', ...rest] = text.split('=');
  return { attribute, ...(rest.length > 0 && { default: rest.join('=') }) };
}

async function senderOf(session: Session, { sender }: SendFlags): Promise<{ senderId?: string }> {
  return sender === undefined ? {} : { senderId: await findSender(session, sender) };
}

function templateOf({ template, language, mediaUrl, payload, reference, validFor }: SendFlags) {
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
    ...templateOf(flags),
    ...(name && { name }),
    ...(at && { scheduledAt: at }),
    ...(isLocal && { timeZone: here }),
    ...(sendWindow && { sendWindow: { ...sendWindow, timeZone: here } }),
  };
}

function showCheck({ out }: Session, check: FileCheckDto | RecipientCheckDto): void {
  const { totalRecipients, invalidRows, duplicateRows, optedOut, errorsByCode, errors, sample, plan, warnings } = check;
  out.note(
    `${counted(totalRecipients, 'recipient')}: ${invalidRows} invalid; ${counted(duplicateRows, 'duplicate')}, ` +
      `${optedOut} opted out`,
    'bold',
  );
  for (const line of errorLines(errorsByCode, errors)) out.note(`  ${line}`);
  for (const warning of warnings) out.note(`  ${warning}`, 'yellow');
  const first = sample[0];
  if (first)
    out.note(`First message, to ${first.phone ?? first.userId}:\n${first.renderedText.replace(/^/gm, '  | ')}`);
  if (plan.estimatedSeconds !== null && reached(check) > 0)
    out.note(`It would take about ${duration(plan.estimatedSeconds)}.`);
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

async function agreed(session: Session, check: FileCheckDto | RecipientCheckDto): Promise<boolean> {
  const recipients = reached(check);
  if (recipients === 0) {
    session.out.problem(`No valid recipients; nothing was sent.${adviceOnColumns(check.errors)}`);
    if (session.out.json) session.out.result(check, () => '');
    return false;
  }
  const yes = await session.confirmed(`Send to ${counted(recipients, 'recipient')}?${skippedText(check)}`);
  if (!yes) session.out.note('Nothing was sent.');
  return yes;
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
