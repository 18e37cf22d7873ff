import { Link } from 'wouter';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import type { CursorList } from '../../app/cursor-list';
import { STATE_WORDS } from '../../app/states';
import { previewWords } from '../../app/vocabulary';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/format';
import { useNow } from '../../ui/now';
import { PhoneNumber } from '../../ui/phone-number';
import { SearchField } from '../../ui/search-field';
import { Segments } from '../../ui/segments';
import { Select } from '../../ui/select';
import { Time } from '../../ui/time';
import { CursorRows } from '../../ui/cursor-rows';
import { initialsOf, nameOf, windowOf } from './conversation-labels';
import { emptyOf, SHOWN, type ShownConversations } from './shown-conversations';

/** The virtual list of conversations, latest message first: one tab stop, with arrow keys. */
export function ConversationList({
  list,
  filters,
  onFilter,
  openedId,
  addressOf,
  onOpen,
}: {
  list: CursorList<ConversationDto>;
  filters: ShownConversations;
  onFilter: (change: Partial<ShownConversations>) => void;
  openedId: string;
  addressOf: (id: string) => string;
  /** Called when a conversation is opened. */
  onOpen: (byKeyboard: boolean) => void;
}) {
  return (
    <section className="conversation-list" aria-label={t('All conversations')}>
      <div className="conversation-filters">
        <SearchField
          label={t('Search conversations')}
          placeholder={t('Search everyone by name or number')}
          value={filters.search}
          onChange={(search) => onFilter({ search })}
        />
        {filters.search === '' && (
          <div className="conversation-shown">
            <Select
              label={t('Show')}
              hiddenLabel
              value={filters.show}
              onChange={(show) => onFilter({ show })}
              choices={SHOWN}
            />
            {filters.show === 'wrote' && (
              <Segments
                label={t('State')}
                value={filters.state}
                onChange={(state) => onFilter({ state })}
                choices={[
                  { value: 'Open', label: t('Open', {}, 'state of a conversation') },
                  { value: 'Done', label: t('Done', {}, 'state of a conversation') },
                ]}
              />
            )}
          </div>
        )}
      </div>
      <CursorRows
        list={list}
        label={t('Conversations')}
        rowHeight={84}
        height="fill"
        keyOf={({ id }) => id}
        row={(conversation, _index, tabIndex) => (
          <ConversationRow
            conversation={conversation}
            isOpened={conversation.id === openedId}
            to={addressOf(conversation.id)}
            tabIndex={tabIndex}
            onOpen={onOpen}
          />
        )}
        empty={emptyOf(filters)}
      />
    </section>
  );
}

function ConversationRow({
  conversation,
  isOpened,
  to,
  tabIndex,
  onOpen,
}: {
  conversation: ConversationDto;
  isOpened: boolean;
  to: string;
  tabIndex?: number;
  onOpen: (byKeyboard: boolean) => void;
}) {
  const name = nameOf(conversation);
  const { contactPhone, contactName, unreadCount, unreadText, lastDirection, lastFailure, lastMessageAt, optedOut } =
    conversation;
  const preview = unreadText ?? conversation.lastText;
  const isOurs = lastDirection === 'Outbound';
  return (
    <div className="conversation-row" data-unread={unreadCount > 0 || undefined} data-opened={isOpened || undefined}>
      <Avatar name={contactName} />
      <div className="conversation-row-words">
        <div className="conversation-row-line">
          <Link
            to={to}
            className="row-link"
            aria-current={isOpened ? 'true' : undefined}
            tabIndex={tabIndex}
            // A click by keyboard has no pointer position to count.
            onClick={(event) => onOpen(event.detail === 0)}
          >
            <span className="cut">
              {contactName === null && contactPhone ? <PhoneNumber value={contactPhone} /> : <bdi>{name}</bdi>}
            </span>
          </Link>
          {/* The shown question is older than our last message. */}
          {!(isOurs && unreadText !== undefined) && <Time at={lastMessageAt} as="clock" />}
        </div>
        <div className="conversation-row-line">
          <span className="conversation-last" dir="auto">
            {isOurs && unreadText === undefined && <span>{t('Sent:')} </span>}
            {preview === null ? t('No longer stored') : previewWords(preview)}
          </span>
          {unreadCount > 0 && (
            <span className="unread-count">
              {count(unreadCount)}
              <span className="visually-hidden"> {t('unread')}</span>
            </span>
          )}
        </div>
        <div className="conversation-row-line">
          <WindowLeft conversation={conversation} />
          {lastFailure && <Badge tone="danger">{STATE_WORDS[lastFailure]}</Badge>}
          {optedOut && <Badge tone="warning">{t('Opted out')}</Badge>}
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
