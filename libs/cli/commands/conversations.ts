import { getConversation, listConversationMessages } from '../../client/generated/sdk.gen';
import type { ConversationDto, MessageDto } from '../../client/generated/types.gen';
import { phoneDigits } from '../../client/phone-digits';
import { EXIT, NOTHING_SENT, UnknownNameError, UsageError } from '../exit-codes';
import { firstOf } from '../cut-list';
import { localTime } from '../local-time';
import type { Column } from '../output';
import { sendingCall } from '../sending-call';
import type { Session } from '../session';
import { reportSent } from './sending';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Countries write a number with different first digits, but the same last ones. */
const COMPARED_DIGITS = 7;

const MESSAGE_COLUMNS: Column<MessageDto>[] = [
  ['at', (message) => message.createdAt],
  ['from', (message) => (message.direction === 'Inbound' ? 'person' : 'account')],
  ['status', (message) => message.status],
  ['text', (message) => message.renderedText ?? message.type],
  ['error', (message) => message.error?.code],
];

/** `messaging conversations list` */
export async function list(
  session: Session,
  flags: { limit: number; search?: string; unread?: boolean; waiting?: boolean },
): Promise<number> {
  const { search, unread, waiting } = flags;
  const query = {
    ...(search && { search }),
    ...(unread && { unread: 'true' as const }),
    ...(waiting && { awaitingReply: 'true' as const }),
  };
  const client = await session.client();
  await session.out.firstOfList(
    client.conversations(query, { signal: session.signal }),
    [
      ['conversation', (conversation) => conversation.id],
      ['person', personOf],
      ['name', (conversation) => conversation.contactName],
      ['unread', (conversation) => session.out.rareCount(conversation.unreadCount)],
      ['state', (conversation) => conversation.state],
      ['last message', (conversation) => conversation.lastMessageAt],
      ['text', (conversation) => conversation.lastText],
    ],
    'No matching conversations.',
    flags.limit,
  );
  return EXIT.done;
}

/** `messaging conversations show <conversation>`: its last messages, the latest at the end. */
export async function show(session: Session, name: string, flags: { limit: number }): Promise<number> {
  const conversation = await findConversation(session, name);
  const client = await session.client();
  const { id, windowExpiresAt } = conversation;
  const pages = client.each(listConversationMessages, { path: { conversationId: id } }, { signal: session.signal });
  const latest = await firstOf(pages, flags.limit);
  const messages = latest.items.reverse();
  const isOpen = windowExpiresAt !== null && Date.parse(windowExpiresAt) > Date.now();
  session.out.facts({ ...conversation, messages }, [
    ['conversation', id],
    ['person', [conversation.contactName, personOf(conversation)].filter(Boolean).join(', ')],
    ['unread', conversation.unreadCount],
    ['opted out', conversation.optedOut ? 'yes' : null],
    ['reply window', isOpen ? `open until ${localTime(windowExpiresAt)}` : 'closed: only a template can be sent'],
  ]);
  if (!session.out.json) await session.out.list(messages, MESSAGE_COLUMNS, 'No messages.', 'text');
  session.out.noteIfCut({ count: messages.length, hasMore: latest.hasMore });
  return EXIT.done;
}

/** `messaging reply <conversation> <text>` */
export async function reply(
  session: Session,
  name: string,
  text: string,
  flags: { reference?: string; idempotencyKey?: string },
): Promise<number> {
  session.undone = NOTHING_SENT;
  const { id } = await findConversation(session, name);
  const { reference, idempotencyKey } = flags;
  const sent = await sendingCall(session, `messaging conversations show ${id}`, (client, signal) =>
    client.reply(id, { text, ...(reference && { reference }) }, { signal, idempotencyKey }),
  );
  return reportSent(session, sent);
}

function personOf({ contactPhone, username, userId }: ConversationDto): string | null {
  return contactPhone ?? username ?? userId;
}

/** Finds a conversation by its id or the complete number of the person, which the service reads like everywhere. */
async function findConversation(session: Session, name: string): Promise<ConversationDto> {
  const client = await session.client();
  if (ID.test(name)) {
    return client.call(getConversation, { path: { conversationId: name } }, { signal: session.signal });
  }
  const digits = phoneDigits(name);
  if (digits === null)
    throw new UsageError(`${name} is neither a phone number nor an id: run \`messaging conversations list\`.`);
  const { items: found } = await firstOf(client.conversations({ search: name }, { signal: session.signal }), 2);
  const last = digits.slice(-COMPARED_DIGITS);
  // The service also finds numbers that begin with these digits.
  if (found.length !== 1 || last.length < COMPARED_DIGITS || found[0]!.contactPhone?.endsWith(last) !== true)
    throw new UnknownNameError(`No conversation with ${name}: run \`messaging conversations list\`.`);
  return found[0]!;
}
