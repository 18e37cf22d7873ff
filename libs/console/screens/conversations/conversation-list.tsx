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
import { initialsOf, nameOf, windowOf } from './conversation-words';

/** What the list is narrowed to. */
interface Filters {
  search: string;
  show: string;
}

/** The conversations, the latest message first, of which only those in view are in the page. */
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
          label="Which conversations"
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
      title: 'Nobody fits',
      hint: 'Search for a part of a name, or for the beginning of a number with its country code.',
    };
  }
  if (show === 'unread') return { title: 'All read', hint: 'Whoever writes next shows here by itself.' };
  return {
    title: 'No conversations yet',
    hint: 'They begin with the first message that you send or that somebody writes to you.',
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
            {lastText ?? 'No longer kept'}
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

/** The letters of a name, in a circle. */
export function Avatar({ name }: { name: string | null }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialsOf(name) || '#'}
    </span>
  );
}

/** How long somebody may still be written to freely; it counts down by itself. */
export function WindowLeft({ conversation }: { conversation: Pick<ConversationDto, 'windowExpiresAt'> }) {
  const { state, words } = windowOf(conversation, useNow());
  return (
    <span className="window-left" data-state={state}>
      {words}
    </span>
  );
}
