import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ConversationDto, ConversationMessageDto, MessageDto } from '../../../client/generated/types.gen';
import type { CursorList } from '../../app/cursor-list';
import { placeOf } from '../../app/drafts';
import { useIsInterrupted } from '../../app/live';
import { useMarketingOptOut } from '../../app/marketing-opt-out';
import { isBeingSent } from '../../app/pending-sends';
import { useSession } from '../../app/session';
import { asMessagingError, connectionErrorOf } from '../../api/call';
import { useDraft, useKeptDraft } from '../../app/use-draft';
import { textOf } from '../../app/vocabulary';
import { locale, t } from '../../language/translate';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { PhoneNumber } from '../../ui/phone-number';
import { usePrinting } from '../../ui/printing';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { useLastError } from '../../ui/use-last-error';
import { type ColleagueDone, useColleagueDone } from './colleague-done';
import { useColleagueReply } from './colleague-reply';
import { type Arrival, Composer } from './composer';
import { ContactFacts } from './contact-facts';
import { ConversationMenu } from './conversation-menu';
import { Avatar, WindowLeft } from './conversation-list';
import { useContactOf, useConversation, useMessages, useOptOut } from './conversation-queries';
import { isOpen } from './conversation-labels';
import { nameOf } from './person-name';
import { type ReplyDraft, replyDraftOf } from './reply-draft';
import { useReplyWindow } from './reply-window';
import { type MessageActions, ThreadMessage } from './thread-message';
import { firstUnread, receivedAfter, type ThreadRow, threadRows } from './thread-rows';
import { useMarkRead } from './mark-read';
import { isSentHere } from './sent-message';
import { StateButton } from './state-button';
import { templateDraftOf } from './template-form';

/** Rows from the oldest loaded one at which older messages are loaded. */
const LOAD_AHEAD_ROWS = 12;
const DAY = new Intl.DateTimeFormat(locale(), { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const NO_REPLY: ReplyDraft = { text: '', replyTo: '', fileName: '', next: '' };

interface Shown {
  backTo: string;
  /** Null: the focus stays. */
  arrival: Arrival | null;
  /** Called when the conversation is done. */
  onDone: () => void;
  /** Shows the conversation again. */
  onReturn: () => void;
}

function isEmpty({ text, fileName }: ReplyDraft): boolean {
  return text === '' && fileName === '';
}

/** One conversation: header, messages and reply area. */
export function Thread({ conversationId, ...shown }: Shown & { conversationId: string }) {
  const { account } = useSession();
  const conversation = useConversation(conversationId);
  const error = useLastError(conversation);
  const found = conversation.data;
  const messages = useMessages(conversationId, found !== undefined);
  // A request that is neither answered nor refused says nothing.
  const outage = useIsInterrupted() ? connectionErrorOf(null) : null;
  const failure = messages.items ? null : (messages.error ?? outage);
  // Also survives the end of the reply window while a person types.
  const draft = useDraft(replyDraftOf(conversationId), NO_REPLY, { isEmpty });
  const template = useKeptDraft(templateDraftOf(conversationId));
  const colleague = useColleagueReply(
    messages.items,
    !isEmpty(draft.value),
    [replyDraftOf, templateDraftOf].some((draftOf) => isBeingSent(placeOf(account.id, draftOf(conversationId)))),
  );
  const done = useColleagueDone(found?.state, !isEmpty(draft.value) || template !== null);
  const [refill, setRefill] = useState<object | null>(null);
  const actions: MessageActions = {
    onReplyTo: ({ id }) => draft.change({ replyTo: id }),
    onSendAgain: (text, quoted) => {
      const isSending = isBeingSent(draft.place);
      const joined = [isSending ? draft.value.next : draft.value.text, text].filter(Boolean).join('\n');
      draft.change({ ...(isSending ? { next: joined } : { text: joined }), ...(quoted && { replyTo: quoted.id }) });
      setRefill({});
    },
    isWritten: (text) =>
      [draft.value.text, draft.value.next].some((one) => `\n${one.trim()}\n`.includes(`\n${text}\n`)),
  };
  if (!found) {
    if (!error) return <Loading rows={8} />;
    if (asMessagingError(error).code === 'conversation_not_found') {
      return (
        <Empty
          title={t('Conversation not found')}
          icon="chat"
          hint={t('It was erased, or it belongs to another account.')}
        />
      );
    }
    return <ErrorState error={error} busy={conversation.isFetching} onRetry={() => void conversation.refetch()} />;
  }
  return (
    <>
      <ThreadHead conversation={found} onChange={done.onOwnChange} {...shown} />
      {failure ? (
        <ErrorState error={failure} onRetry={messages.retry} />
      ) : (
        <>
          <Messages conversation={found} list={messages} actions={actions} />
          <Composer
            conversation={found}
            draft={draft}
            arrival={shown.arrival}
            refill={refill}
            colleague={colleague}
            done={done}
          />
        </>
      )}
    </>
  );
}

function ThreadHead({
  conversation,
  backTo,
  arrival,
  onChange,
  onDone,
  onReturn,
}: Shown & { conversation: ConversationDto; onChange: ColleagueDone['onOwnChange'] }) {
  const session = useSession();
  const { contactPhone, contactName, username, userId, optedOut } = conversation;
  const marketing = useMarketingOptOut({ phone: contactPhone, userId });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrival?.at === 'heading') heading.current?.focus();
  }, [arrival]);
  return (
    <header className="thread-head">
      <Link to={backTo} className="button thread-back" data-variant="quiet" aria-label={t('All conversations')}>
        <Icon name="left" size={18} />
      </Link>
      <Avatar name={contactName} />
      <div className="thread-who">
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {contactName === null && contactPhone ? <PhoneNumber value={contactPhone} /> : nameOf(conversation)}
        </h2>
        <span className="row thread-facts">
          {contactName !== null && contactPhone && <PhoneNumber value={contactPhone} />}
          {contactName !== null && username && <bdi>{username}</bdi>}
          <WindowLeft conversation={conversation} />
          {optedOut ? (
            <Badge tone="warning">{t('Opted out')}</Badge>
          ) : (
            marketing && <Badge>{t('Opted out of marketing')}</Badge>
          )}
          {contactPhone && session.can('groups:read') && <ContactLink phone={contactPhone} />}
        </span>
        {contactPhone && session.can('groups:read') && <ContactFacts phone={contactPhone} />}
      </div>
      {session.can('messaging:manage') && (
        <StateButton conversation={conversation} onChange={onChange} onDone={onDone} onReturn={onReturn} />
      )}
      <ConversationMenu conversation={conversation} backTo={backTo} />
    </header>
  );
}

function ContactLink({ phone }: { phone: string }) {
  const { contact } = useContactOf(phone);
  return (
    contact && (
      <Link to={`/contacts/${contact.id}`} className="link">
        {t('Contact')}
      </Link>
    )
  );
}

function Messages({
  conversation,
  list,
  actions,
}: {
  conversation: ConversationDto;
  list: CursorList<ConversationMessageDto>;
  actions: MessageActions;
}) {
  const session = useSession();
  const window = useReplyWindow(conversation);
  const optOut = useOptOut(conversation);
  const isBlocked = conversation.optedOut && !optOut?.mayAnswer;
  const canReply = session.can('messaging:manage') && !isBlocked && isOpen(window);
  const { items, isComplete } = list;
  /** The first unread message when the conversation was opened; null: none. Undefined: the latest message is not loaded yet. */
  const [unreadId, setUnreadId] = useState<string | null>();
  if (items?.[0] && unreadId === undefined && items[0].createdAt >= conversation.lastMessageAt) {
    setUnreadId(firstUnread(items, conversation.unreadCount));
  }
  const rows = useMemo(() => threadRows(items ?? [], isComplete, unreadId), [items, isComplete, unreadId]);
  if (!items) return <Loading rows={8} label={t('Loading messages')} />;
  if (items.length === 0 && isComplete) {
    return (
      <Empty title={t('No messages stored')} icon="chat" hint={t('Messages are deleted after the retention period.')} />
    );
  }
  return (
    <ThreadScroller
      rows={rows}
      conversation={conversation}
      messages={items}
      onStart={list.more}
      isLoadingMore={list.isLoadingMore}
      actions={canReply ? actions : undefined}
    />
  );
}

/** The virtual list of messages; opens at the first unread one or else the latest, and follows new ones while scrolled to the end. */
function ThreadScroller({
  rows,
  conversation,
  messages,
  onStart,
  isLoadingMore,
  actions,
}: {
  rows: readonly ThreadRow[];
  conversation: ConversationDto;
  /** Newest first. */
  messages: readonly ConversationMessageDto[];
  onStart: () => void;
  isLoadingMore: boolean;
  /** Absent: no reply is possible. */
  actions?: MessageActions;
}) {
  const [newest] = messages;
  const scroller = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]!.kind === 'message' ? 76 : 40),
    getItemKey: useCallback((index: number) => rows[index]!.key, [rows]),
    overscan: isPrinting ? rows.length : 8,
    paddingStart: 16,
    paddingEnd: 16,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 80,
  });
  const unreadAt = rows.findIndex(({ kind }) => kind === 'unread');
  const shownAt = useRef<'end' | 'unread' | null>(null);
  useEffect(() => {
    const at = unreadAt === -1 ? 'end' : 'unread';
    if (shownAt.current === 'unread' || shownAt.current === at) return;
    shownAt.current = at;
    if (at === 'end') virtual.scrollToEnd();
    else virtual.scrollToIndex(unreadAt, { align: 'start' });
  }, [unreadAt, virtual]);
  const sentId = newest && isSentHere(newest.id) ? newest.id : null;
  const sentBefore = useRef(sentId);
  useEffect(() => {
    if (sentId !== null && sentId !== sentBefore.current) virtual.scrollToEnd();
    sentBefore.current = sentId;
  }, [sentId, virtual]);
  const isAtEnd = virtual.isAtEnd(80);
  const wasAtEnd = useRef(isAtEnd);
  useEffect(() => {
    wasAtEnd.current = isAtEnd;
  });
  useEffect(() => {
    const shown = scroller.current!;
    let height = shown.clientHeight;
    // Such as for the keyboard of a phone.
    const resized = new ResizeObserver(() => {
      if (shown.clientHeight !== height && wasAtEnd.current) virtual.scrollToEnd();
      height = shown.clientHeight;
    });
    resized.observe(shown);
    return () => resized.disconnect();
  }, [virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? LOAD_AHEAD_ROWS;
  useEffect(() => {
    if (first < LOAD_AHEAD_ROWS && !isPrinting) onStart();
  }, [first, onStart, isPrinting]);
  const lastShown = rows[virtual.range?.endIndex ?? -1];
  useMarkRead(conversation, messages, isAtEnd ? newest : lastShown?.kind === 'message' ? lastShown.message : undefined);
  const lastKey = rows.at(-1)?.key;
  const [seenKey, setSeenKey] = useState(lastKey);
  if (isAtEnd && seenKey !== lastKey) setSeenKey(lastKey);
  const unseen = receivedAfter(rows, seenKey);
  return (
    <div className="thread-place">
      <div
        ref={scroller}
        className="thread-scroller"
        role="list"
        aria-label={t('Messages with {name}', { name: nameOf(conversation) })}
        tabIndex={0}
      >
        <div className="virtual-space" style={{ height: virtual.getTotalSize() }} role="presentation">
          {items.map((item) => (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              role="listitem"
              className="virtual-row thread-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Row row={rows[item.index]!} actions={actions} />
            </div>
          ))}
        </div>
      </div>
      {isLoadingMore && (
        <p className="thread-older" role="status">
          {t('Loading older messages…')}
        </p>
      )}
      {!isAtEnd && (
        <button type="button" className="button thread-latest" onClick={() => virtual.scrollToEnd()}>
          <Icon name="down" /> {t('Latest')}
          {unseen > 0 && (
            <span className="unread-count">
              {count(unseen)}
              <span className="visually-hidden"> {t('new', {}, 'messages')}</span>
            </span>
          )}
        </button>
      )}
      <MessageAnnouncer newest={newest} />
    </div>
  );
}

function Row({ row, actions }: { row: ThreadRow; actions?: MessageActions }) {
  switch (row.kind) {
    case 'start':
      return <p className="thread-note">{t('Start of the conversation')}</p>;
    case 'unread':
      return <p className="thread-unread">{t('Unread messages')}</p>;
    case 'day':
      return <p className="thread-note thread-day">{DAY.format(row.day)}</p>;
    case 'message':
      return <ThreadMessage row={row} actions={actions} />;
  }
}

/** Announces new incoming messages to screen readers. */
function MessageAnnouncer({ newest }: { newest?: MessageDto }) {
  const initialId = useRef(newest?.id);
  const isNew = newest !== undefined && newest.id !== initialId.current && newest.direction === 'Inbound';
  return (
    <p className="visually-hidden" role="status">
      {isNew ? t('New message: {text}', { text: textOf(newest) }) : ''}
    </p>
  );
}
