import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ConversationDto, MessageDto } from '../../../client/generated/types.gen';
import { useSession } from '../../app/session';
import { asMessagingError } from '../../api/call';
import { Badge } from '../../ui/badge';
import { Icon } from '../../ui/icon';
import { PhoneNumber } from '../../ui/phone-number';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { Answer } from './answer';
import { ConversationMenu } from './conversation-menu';
import { Avatar, WindowLeft } from './conversation-list';
import { useConversation, useMessages } from './conversation-reads';
import { nameOf } from './conversation-words';
import { ThreadMessage } from './thread-message';
import { type ThreadRow, threadRows } from './thread-rows';
import { useMarkRead } from './mark-read';

/** How far from the beginning of what has been read older messages are asked for, in rows. */
const AHEAD = 12;
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** One conversation: who it is, what was said, and the answer. */
export function Thread({ conversationId, backTo }: { conversationId: string; backTo: string }) {
  const conversation = useConversation(conversationId);
  const [replyTo, setReplyTo] = useState<MessageDto | null>(null);
  const found = conversation.data;
  if (!found) {
    if (!conversation.isError) return <Loading rows={8} />;
    if (asMessagingError(conversation.error).code === 'conversation_not_found') {
      return (
        <Empty title="This conversation is gone" icon="chat" hint="It was erased, or it belongs to another account." />
      );
    }
    return <ErrorState error={conversation.error} onRetry={() => void conversation.refetch()} />;
  }
  return (
    <>
      <ThreadHead conversation={found} backTo={backTo} />
      <Messages conversation={found} onReplyTo={setReplyTo} />
      <Answer conversation={found} replyTo={replyTo} onReplyTo={setReplyTo} />
    </>
  );
}

function ThreadHead({ conversation, backTo }: { conversation: ConversationDto; backTo: string }) {
  const session = useSession();
  const { contactPhone, contactName, username, optedOut } = conversation;
  const name = nameOf(conversation);
  return (
    <header className="thread-head">
      <Link to={backTo} className="button thread-back" data-variant="quiet" aria-label="All conversations">
        <Icon name="left" size={18} />
      </Link>
      <Avatar name={contactName} />
      <div className="thread-who">
        <h2 className="cut" dir="auto">
          {contactName === null && contactPhone ? <PhoneNumber value={contactPhone} /> : name}
        </h2>
        <span className="row thread-facts">
          {contactName !== null && contactPhone && <PhoneNumber value={contactPhone} />}
          {contactName !== null && username && <bdi>{username}</bdi>}
          <WindowLeft conversation={conversation} />
          {optedOut && <Badge tone="warning">Opted out</Badge>}
          {contactPhone && session.can('groups:read') && (
            <Link to={`/contacts?search=${contactPhone}`} className="link">
              Contact
            </Link>
          )}
        </span>
      </div>
      <ConversationMenu conversation={conversation} name={name} backTo={backTo} />
    </header>
  );
}

function Messages({
  conversation,
  onReplyTo,
}: {
  conversation: ConversationDto;
  onReplyTo: (message: MessageDto) => void;
}) {
  const list = useMessages(conversation.id);
  const { items, isWhole, error } = list;
  const rows = useMemo(() => threadRows(items ?? [], isWhole), [items, isWhole]);
  if (!items)
    return error ? <ErrorState error={error} onRetry={list.retry} /> : <Loading rows={8} label="Loading messages" />;
  if (items.length === 0 && isWhole) {
    return (
      <Empty
        title="Nothing is kept of it"
        icon="chat"
        hint="Messages are deleted after the time that your settings say."
      />
    );
  }
  return (
    <ThreadScroller
      rows={rows}
      conversation={conversation}
      newest={items[0]}
      onStart={list.more}
      isReadingMore={list.isReadingMore}
      onReplyTo={onReplyTo}
    />
  );
}

/** The messages in view; it opens at the latest, and stays there while new ones come. */
function ThreadScroller({
  rows,
  conversation,
  newest,
  onStart,
  isReadingMore,
  onReplyTo,
}: {
  rows: readonly ThreadRow[];
  conversation: ConversationDto;
  newest?: MessageDto;
  onStart: () => void;
  isReadingMore: boolean;
  onReplyTo: (message: MessageDto) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]!.kind === 'message' ? 76 : 40),
    getItemKey: useCallback((index: number) => rows[index]!.key, [rows]),
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 16,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 80,
  });
  const isPlaced = useRef(false);
  useEffect(() => {
    if (isPlaced.current) return;
    isPlaced.current = true;
    virtual.scrollToEnd();
  }, [virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? AHEAD;
  useEffect(() => {
    if (first < AHEAD) onStart();
  }, [first, onStart]);
  const isAtEnd = virtual.isAtEnd(80);
  useMarkRead(conversation, isAtEnd ? newest : undefined);
  return (
    <div className="thread-place">
      <div
        ref={scroller}
        className="thread-scroller"
        role="list"
        aria-label={`Messages with ${nameOf(conversation)}`}
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
              <Row row={rows[item.index]!} onReplyTo={onReplyTo} />
            </div>
          ))}
        </div>
      </div>
      {isReadingMore && (
        <p className="thread-older" role="status">
          Loading older messages…
        </p>
      )}
      {!isAtEnd && (
        <button type="button" className="button thread-latest" onClick={() => virtual.scrollToEnd()}>
          <Icon name="down" /> Latest
        </button>
      )}
      <Announced newest={newest} />
    </div>
  );
}

function Row({ row, onReplyTo }: { row: ThreadRow; onReplyTo: (message: MessageDto) => void }) {
  switch (row.kind) {
    case 'start':
      return <p className="thread-note">The conversation began here.</p>;
    case 'day':
      return <p className="thread-note thread-day">{DAY.format(row.day)}</p>;
    case 'message':
      return <ThreadMessage row={row} onReplyTo={onReplyTo} />;
  }
}

/** Says what somebody has just written to those who cannot see it appear. */
function Announced({ newest }: { newest?: MessageDto }) {
  const atFirst = useRef(newest?.id);
  const isNew = newest !== undefined && newest.id !== atFirst.current && newest.direction === 'Inbound';
  return (
    <p className="visually-hidden" role="status">
      {isNew ? `New message: ${newest.renderedText ?? newest.type}` : ''}
    </p>
  );
}
