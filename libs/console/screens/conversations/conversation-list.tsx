import { Link } from 'wouter';
import type { ConversationDto } from '../../../client/generated/types.gen';
import type { CursorList } from '../../app/cursor-list';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/format';
import { useNow } from '../../ui/now';
import { SearchField } from '../../ui/search-field';
import { Segments } from '../../ui/segments';
import { Time } from '../../ui/time';
import { CursorRows } from '../../ui/cursor-rows';
import { initialsOf, nameOf, windowOf } from './conversation-labels';

/** The filters of the list. */
interface Filters {
  search: string;
  show: string;
}

/** The virtual list of conversations, latest message first. */
export function ConversationList({
  list,
  filters,
  onFilter,
  openedId,
  addressOf,
}: {
  list: CursorList<ConversationDto>;
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
  openedId: string;
  addressOf: (id: string) => string;
}) {
  return (
    <section className="conversation-list" aria-label="All conversations">
      <div className="conversation-filters">
        <SearchField
          label="Search conversations"
          placeholder="Name or number"
          value={filters.search}
          onChange={(search) => onFilter({ search })}
        />
        <Segments
          label="Filter conversations"
          value={filters.show}
          onChange={(show) => onFilter({ show })}
          choices={[
            { value: 'all', label: 'All' },
            { value: 'unread', label: 'Unread' },
          ]}
        />
      </div>
      <CursorRows
        list={list}
        label="Conversations"
        rowHeight={84}
        height="fill"
        row={(conversation) => (
          <ConversationRow
            conversation={conversation}
            isOpened={conversation.id === openedId}
            to={addressOf(conversation.id)}
          />
        )}
        empty={emptyOf(filters)}
      />
    </section>
  );
}

function emptyOf({ search, show }: Filters): { title: string; hint: string } {
  if (search) {
    return {
      title: 'No matches',
      hint: 'Search by part of a name or by the start of a number, including its country code.',
    };
  }
  if (show === 'unread') return { title: 'All read', hint: 'New messages appear here automatically.' };
  return {
    title: 'No conversations yet',
    hint: 'A conversation starts with the first message sent or received.',
  };
}

function ConversationRow({
  conversation,
  isOpened,
  to,
}: {
  conversation: ConversationDto;
  isOpened: boolean;
  to: string;
}) {
  const name = nameOf(conversation);
  const { unreadCount, lastText, lastDirection, lastMessageAt, optedOut } = conversation;
  return (
    <div className="conversation-row" data-unread={unreadCount > 0 || undefined} data-opened={isOpened || undefined}>
      <Avatar name={conversation.contactName} />
      <div className="conversation-row-words">
        <div className="conversation-row-line">
          <Link to={to} className="row-link" aria-current={isOpened ? 'true' : undefined}>
            <bdi className="cut">{name}</bdi>
          </Link>
          <Time at={lastMessageAt} as="clock" />
        </div>
        <div className="conversation-row-line">
          <span className="conversation-last" dir="auto">
            {lastDirection === 'Outbound' && <span className="conversation-you">You: </span>}
            {lastText ?? 'No longer stored'}
          </span>
          {unreadCount > 0 && (
            <span className="unread-count">
              {count(unreadCount)}
              <span className="visually-hidden"> unread</span>
            </span>
          )}
        </div>
        <div className="conversation-row-line">
          <WindowLeft conversation={conversation} />
          {optedOut && <Badge tone="warning">Opted out</Badge>}
        </div>
      </div>
    </div>
  );
}

/** A circle with the initials of a name. */
export function Avatar({ name }: { name: string | null }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialsOf(name) || '#'}
    </span>
  );
}

/** The remaining time of the reply window, as a countdown. */
export function WindowLeft({ conversation }: { conversation: Pick<ConversationDto, 'windowExpiresAt'> }) {
  const { state, label } = windowOf(conversation, useNow());
  return (
    <span className="window-left" data-state={state}>
      {label}
    </span>
  );
}
