import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { t } from '../../language/translate';
import { useUrlFilters } from '../../app/url-filters';
import { AsOf } from '../../ui/time';
import { PageHeader } from '../../ui/page-header';
import { Empty } from '../../ui/states';
import { useLiveness } from '../../app/live';
import { useShortcut } from '../../app/shortcuts';
import { Alerts } from './alerts';
import { AttachedFiles } from './attached-files';
import type { Arrival } from './composer';
import { useConversations } from './conversation-queries';
import { ConversationList } from './conversation-list';
import { keepChosen, queryOf, shownBy, type ShownConversations, UNNAMED } from './conversation-list-query';
import { useFailedReplies } from './failed-replies';
import { useNeighbours } from './neighbours';
import { Shortcuts } from './shortcuts';
import { Thread } from './thread';

/** Shows the list or a conversation; conversations.css has the same width. */
const ONE_PANE = '(max-width: 900px)';
const FILTERS = { ...UNNAMED, id: '' };

/** The list of conversations with the selected one beside it. */
export default function ConversationsScreen() {
  const [inUrl, setInUrl] = useUrlFilters(FILTERS);
  const filters = { ...shownBy(inUrl), id: inUrl.id };
  const setFilters = (change: Partial<ShownConversations>) => {
    keepChosen(change);
    setInUrl(change);
  };
  const list = useConversations(queryOf(filters));
  const isLive = useLiveness() === 'live';
  const search = useSearch();
  const [, navigate] = useLocation();
  const [arrival, setArrival] = useState<Arrival | null>(null);
  /** URL of a conversation that keeps the list's filters. */
  const addressOf = (id: string) => {
    const address = new URLSearchParams(search);
    if (id) address.set('id', id);
    else address.delete('id');
    return `/conversations${address.size > 0 ? `?${address.toString()}` : ''}`;
  };
  const open = (id: string | undefined) => {
    if (id === undefined) return;
    setArrival({ at: 'heading' });
    navigate(addressOf(id));
  };
  useFailedReplies(list.items, filters.id, open);
  const neighbours = useNeighbours(list.items, filters.id, JSON.stringify(queryOf(filters)));
  const nextKeys = useShortcut('J', () => open(neighbours().next));
  const previousKeys = useShortcut('K', () => open(neighbours().previous));
  return (
    <div className="conversations" data-open={filters.id !== '' || undefined}>
      <PageHeader
        title={t('Conversations')}
        asOf={<AsOf at={list.updatedAt} live={isLive} />}
        actions={
          <>
            <Alerts onOpen={open} />
            <Shortcuts />
          </>
        }
      />
      <div className="conversations-panes">
        <ConversationList
          list={list}
          filters={filters}
          onFilter={setFilters}
          openedId={filters.id}
          addressOf={addressOf}
          keys={[nextKeys, previousKeys].join(' ').trim() || undefined}
          onOpen={(byKeyboard) => setArrival(byKeyboard ? { at: 'reply' } : null)}
        />
        <section className="thread-pane" aria-label={t('Conversation')}>
          <AttachedFiles>
            {filters.id === '' ? (
              <Empty title={t('Select a conversation')} icon="chat" hint={t('Its messages appear here.')} />
            ) : (
              <Thread
                key={filters.id}
                conversationId={filters.id}
                backTo={addressOf('')}
                arrival={arrival}
                onDone={() => open(matchMedia(ONE_PANE).matches ? '' : neighbours().afterDone)}
                onReturn={() => open(filters.id)}
              />
            )}
          </AttachedFiles>
        </section>
      </div>
    </div>
  );
}
