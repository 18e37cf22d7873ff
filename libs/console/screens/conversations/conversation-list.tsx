import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ConversationDto, ConversationMessageDto } from '../../../client/generated/types.gen';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import type { CursorList } from '../../app/cursor-list';
import { keptDraft, placeOf } from '../../app/drafts';
import type { Range } from '../../app/merge-ranges';
import { useSession } from '../../app/session';
import { hasFailed, STATE_WORDS } from '../../app/states';
import { useKeptDraft } from '../../app/use-draft';
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
import { initialsOf, isOpen, sharedNames, waitedFor } from './conversation-labels';
import { nameOf } from './person-name';
import { type ReplyDraft, replyDraftOf } from './reply-draft';
import { useReplyWindow } from './reply-window';
import type { ShownConversations } from './conversation-list-query';
import { emptyOf, ORDERS, SHOWN } from './shown-conversations';
import { templateDraftOf } from './template-form';

const PANE = '.conversation-list';
const CURRENT_ROW = '.row-link[tabindex="0"]';

/** The virtual list of conversations: one tab stop, with arrow keys. It takes the focus of a conversation that closes. */
export function ConversationList({
  list,
  filters,
  onFilter,
  openedId,
  addressOf,
  keys,
  onOpen,
}: {
  list: CursorList<ConversationDto>;
  filters: ShownConversations;
  onFilter: (change: Partial<ShownConversations>) => void;
  openedId: string;
  addressOf: (id: string) => string;
  /** The shortcuts that open the next and the previous conversation. */
  keys: string | undefined;
  /** Called when a conversation is opened. */
  onOpen: (byKeyboard: boolean) => void;
}) {
  const pane = useRef<HTMLElement>(null);
  const opened = useRef(openedId);
  useEffect(() => {
    const hasClosed = openedId === '' && opened.current !== '';
    opened.current = openedId;
    if (hasClosed && document.activeElement === document.body) pane.current?.focus();
  }, [openedId]);
  const holdsFocus = useRef(false);
  const isEmpty = list.items?.length === 0;
  useEffect(() => {
    // The last row was removed, and the focus with it.
    if (isEmpty && holdsFocus.current && document.activeElement === document.body) pane.current?.focus();
  }, [isEmpty]);
  const chosen = [filters.show, filters.state, filters.order].join();
  const [firstChosen] = useState(chosen);
  const [hasChosen, setHasChosen] = useState(false);
  if (chosen !== firstChosen && !hasChosen) setHasChosen(true);
  const isWaiting = filters.search === '' && filters.show === 'waiting';
  const shared = useMemo(() => sharedNames(list.items ?? []), [list.items]);
  return (
    <section
      ref={pane}
      className="conversation-list"
      aria-label={t('All conversations')}
      aria-keyshortcuts={keys}
      tabIndex={-1}
      onFocus={({ target, currentTarget }) => {
        holdsFocus.current = true;
        if (target === currentTarget) target.querySelector<HTMLElement>(CURRENT_ROW)?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        holdsFocus.current = currentTarget.contains(relatedTarget);
      }}
    >
      <div className="conversation-filters">
        <SearchField
          label={t('Search conversations')}
          placeholder={t('Name or number')}
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
            {isWaiting && (
              <Select
                label={t('Order')}
                hiddenLabel
                value={filters.order}
                onChange={(order) => onFilter({ order })}
                choices={ORDERS}
              />
            )}
          </div>
        )}
      </div>
      <CursorRows
        key={chosen}
        list={list}
        label={t('Conversations')}
        rowHeight={84}
        height="fill"
        keyOf={({ id }) => id}
        currentKey={openedId}
        startsAtTop={hasChosen}
        row={(conversation, _index, tabIndex) => (
          <ConversationRow
            conversation={conversation}
            isOpened={conversation.id === openedId}
            showsNumber={filters.search !== '' || shared.has(conversation.contactName)}
            to={addressOf(conversation.id)}
            showsWaiting={isWaiting}
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
  showsNumber,
  showsWaiting,
  to,
  tabIndex,
  onOpen,
}: {
  conversation: ConversationDto;
  isOpened: boolean;
  /** Whether the number, or the username of a person who hides it, is shown beside the name. */
  showsNumber: boolean;
  /** Whether the time waited is shown. */
  showsWaiting: boolean;
  to: string;
  tabIndex?: number;
  onOpen: (byKeyboard: boolean) => void;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // The list took the focus before its rows were loaded.
    if (tabIndex === 0 && document.activeElement?.matches(PANE)) link.current?.focus();
  }, [tabIndex]);
  const name = nameOf(conversation);
  const {
    contactPhone,
    contactName,
    username,
    unreadCount,
    unreadText,
    lastDirection,
    lastFailure,
    lastMessageAt,
    optedOut,
  } = conversation;
  const isOurs = lastDirection === 'Outbound';
  const written = useWrittenDraft(conversation.id);
  // What was written since matters more.
  const showsDraft =
    written !== null && written.savedAt > Date.parse(lastMessageAt) && (unreadText === undefined || isOpened);
  return (
    <div className="conversation-row" data-unread={unreadCount > 0 || undefined} data-opened={isOpened || undefined}>
      <Avatar name={contactName} />
      <div className="conversation-row-words">
        <div className="conversation-row-line">
          <Link
            ref={link}
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
            {showsNumber && contactName !== null && (contactPhone ?? username) && (
              <span className="conversation-number">
                {contactPhone ? <PhoneNumber value={contactPhone} /> : <bdi>{username}</bdi>}
              </span>
            )}
          </Link>
          <span className="conversation-time">
            {/* The shown question is older than our last message. */}
            {isOurs && unreadText !== undefined && <OwnStatus conversation={conversation} isOpened={isOpened} />}
            <Time at={lastMessageAt} as="clock" />
          </span>
        </div>
        <div className="conversation-row-line">
          <Preview conversation={conversation} draft={showsDraft ? written.text : null} isOpened={isOpened} />
          {unreadCount > 0 && (
            <span className="unread-count">
              {count(unreadCount)}
              <span className="visually-hidden"> {t('unread')}</span>
            </span>
          )}
        </div>
        <div className="conversation-row-line">
          {/* An open window does not allow replies to people who opted out. */}
          {optedOut ? (
            <Badge tone="warning">{t('Opted out')}</Badge>
          ) : (
            <WindowLeft conversation={conversation} onlyOpen={lastFailure !== undefined} />
          )}
          {showsWaiting && <Waited conversation={conversation} />}
          {written !== null && !showsDraft && <Badge>{t('Draft', {}, 'unsent reply')}</Badge>}
          {lastFailure && <Badge tone="danger">{STATE_WORDS[lastFailure]}</Badge>}
        </div>
      </div>
    </div>
  );
}

/** What is written in a conversation and not sent: a text, a file or a template; null: nothing. */
function useWrittenDraft(conversationId: string): { text: string; savedAt: number } | null {
  const { account } = useSession();
  const [replyForm, templateForm] = [replyDraftOf(conversationId), templateDraftOf(conversationId)];
  const draft = useKeptDraft<ReplyDraft>(replyForm);
  const template = useKeptDraft(templateForm);
  const text = draft ? draft.text || draft.fileName : template && t('Template');
  const kept = keptDraft(placeOf(account.id, draft ? replyForm : templateForm));
  return text && kept ? { text, savedAt: kept.savedAt } : null;
}

/** The `draft` of a reply, or the message to show. */
function Preview({
  conversation,
  draft,
  isOpened,
}: {
  conversation: ConversationDto;
  draft: string | null;
  isOpened: boolean;
}) {
  const { unreadText, lastText, lastDirection } = conversation;
  const preview = unreadText ?? lastText;
  return (
    <span className="conversation-last cut" dir="auto">
      {draft !== null ? (
        <>
          <span className="conversation-draft">{t('Draft:')}</span> {draft}
        </>
      ) : (
        <>
          {lastDirection === 'Outbound' &&
            (unreadText === undefined ? (
              <OwnStatus conversation={conversation} isOpened={isOpened} />
            ) : (
              <span>{t('Unread:')} </span>
            ))}
          {preview === null ? t('No longer stored') : previewWords(preview)}
        </>
      )}
    </span>
  );
}

/** What became of our latest message. */
function OwnStatus({ conversation, isOpened }: { conversation: ConversationDto; isOpened: boolean }) {
  const { id, lastStatus } = conversation;
  const { data } = useQuery<Range<ConversationMessageDto>>({
    queryKey: queryKeys.conversation.messages(id),
    enabled: false,
  });
  // The messages of the opened conversation are polled more often than the list.
  const newest = isOpened ? data?.items.find(({ direction }) => direction === 'Outbound') : undefined;
  return <span>{wordOf(newest?.status ?? lastStatus)} </span>;
}

function wordOf(status: ConversationDto['lastStatus']): string {
  if (status === 'Queued') return t('Waiting:');
  if (status === 'Unknown') return t('Unconfirmed:');
  if (status === undefined || !hasFailed(status)) return t('Sent:');
  return status === 'Undelivered' ? t('Not delivered:') : t('Not sent:');
}

function Waited({ conversation }: { conversation: ConversationDto }) {
  return <span className="conversation-waited">{waitedFor(conversation, useNow())}</span>;
}

/** A circle with the initials of a name. */
export function Avatar({ name }: { name: string | null }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialsOf(name) || '#'}
    </span>
  );
}

/** The remaining time of the reply window, as a countdown. `onlyOpen`: nothing unless it is open, beside what matters more. */
export function WindowLeft({ conversation, onlyOpen = false }: { conversation: ConversationDto; onlyOpen?: boolean }) {
  const window = useReplyWindow(conversation);
  if (onlyOpen && !isOpen(window)) return null;
  return (
    <span className="window-left" data-state={window.state}>
      {window.label}
    </span>
  );
}
