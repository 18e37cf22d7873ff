import {
  addOptOut,
  createContact,
  deleteContact,
  getMessage,
  listOptOuts,
  removeOptOut,
} from '../../client/generated/sdk.gen';
import { firstOf } from '../cut-list';
import { EXIT, UnknownNameError } from '../exit-codes';
import { isUserId, numbered } from '../option-values';
import { keyText } from '../output';
import type { Session } from '../session';

/** `messaging messages list` */
export async function listMessages(
  session: Session,
  flags: {
    limit: number;
    to?: string;
    job?: string;
    status?: never;
    direction?: never;
    reference?: string;
    since?: Date;
    until?: Date;
  },
): Promise<number> {
  const { limit, job, since, until, ...filter } = flags;
  const client = await session.client();
  const query = {
    ...filter,
    ...(job && { jobId: job }),
    ...(since && { createdAfter: since.toISOString() }),
    ...(until && { createdBefore: until.toISOString() }),
  };
  await session.out.firstOfList(
    client.messages(query, { signal: session.signal }),
    [
      ['message', (message) => message.id],
      ['phone', (message) => message.contactPhone],
      ['direction', (message) => message.direction],
      ['status', (message) => message.status],
      ['template', (message) => message.templateName],
      ['text', (message) => message.renderedText],
      ['error', (message) => message.error?.code],
      ['created', (message) => message.createdAt],
    ],
    'No matching messages.',
    limit,
  );
  return EXIT.done;
}

/** `messaging messages show <message>` */
export async function showMessage(session: Session, messageId: string): Promise<number> {
  const client = await session.client();
  const message = await client.call(getMessage, { path: { messageId } }, { signal: session.signal });
  session.out.facts(message, [
    ['message', message.id],
    [message.direction === 'Inbound' ? 'from' : 'to', message.contactPhone],
    ['status', message.status],
    ['history', message.statusHistory.map(({ status, at }) => `${status} ${at}`).join(', ')],
    ['template', message.templateName],
    ['text', message.renderedText],
    ['error', message.error && `${message.error.code}: ${message.error.message}`],
    ['sent by', message.sentBy && keyText(message.sentBy)],
    ['job', message.jobId],
    ['reference', message.reference],
  ]);
  return EXIT.done;
}

/** `messaging contacts list` */
export async function listContacts(
  session: Session,
  flags: { limit: number; search?: string; phone?: string },
): Promise<number> {
  const { limit, ...filter } = flags;
  const client = await session.client();
  await session.out.firstOfList(
    client.contacts(filter, { signal: session.signal }),
    [
      ['contact', (contact) => contact.id],
      ['phone', (contact) => contact.phone],
      ['name', (contact) => contact.name],
      ['opted out', (contact) => (contact.optedOut ? 'yes' : '')],
      ['groups', (contact) => contact.groups.map(({ name }) => name).join(', ')],
    ],
    'No matching contacts.',
    limit,
  );
  return EXIT.done;
}

/** `messaging contacts add <phone or user id>` */
export async function addContact(
  session: Session,
  person: string,
  flags: { name?: string; value?: string[] },
): Promise<number> {
  const body = {
    ...personOf(person),
    ...(flags.name && { name: flags.name }),
    ...(flags.value && { parameters: numbered(flags.value) }),
  };
  const contact = await (await session.client()).call(createContact, { body }, { signal: session.signal });
  session.out.result(contact, () => contact.id);
  return EXIT.done;
}

/** `messaging contacts remove <phone>`: with `erase`, including all data of the person. */
export async function removeContact(session: Session, phone: string, flags: { erase?: boolean }): Promise<number> {
  const client = await session.client();
  const { items } = await firstOf(client.contacts({ phone }, { signal: session.signal }), 1);
  const [contact] = items;
  if (!contact) throw new UnknownNameError(`No contact has the number ${phone}.`);
  const what = flags.erase
    ? `Erase ${phone}, with all messages and job rows? This cannot be undone.`
    : `Delete the contact ${phone}?`;
  if (!(await session.confirmed(what))) return EXIT.refused;
  const query = flags.erase ? { erase: 'true' as const } : {};
  await client.call(deleteContact, { path: { contactId: contact.id }, query }, { signal: session.signal });
  session.out.note(flags.erase ? 'Erasure started.' : 'Deleted.');
  return EXIT.done;
}

/** `messaging opt-outs list` */
export async function listOptedOut(session: Session, flags: { limit: number }): Promise<number> {
  const client = await session.client();
  const all = client.each(
    listOptOuts,
    { query: { pageSize: 100, cursor: '', names: 'true' } },
    { signal: session.signal },
  );
  await session.out.firstOfList(
    all,
    [
      ['person', (optOut) => optOut.phone ?? optOut.userId],
      ['name', (optOut) => optOut.contactName ?? ''],
      ['from', (optOut) => optOut.scope],
      ['by', (optOut) => optOut.source],
      ['since', (optOut) => optOut.createdAt],
    ],
    'No opt-outs.',
    flags.limit,
  );
  return EXIT.done;
}

/** `messaging opt-outs add <phone or user id>` */
export async function optOut(session: Session, person: string): Promise<number> {
  const body = personOf(person);
  const added = await (await session.client()).call(addOptOut, { body }, { signal: session.signal });
  session.out.result(added, () => `${person} is opted out.`);
  return EXIT.done;
}

function personOf(text: string): { phone: string } | { userId: string } {
  return isUserId(text) ? { userId: text } : { phone: text };
}

/** `messaging opt-outs remove <phone or user id>` */
export async function optIn(session: Session, phone: string): Promise<number> {
  await (await session.client()).call(removeOptOut, { path: { phone } }, { signal: session.signal });
  session.out.note(`${phone} is no longer opted out.`);
  return EXIT.done;
}
