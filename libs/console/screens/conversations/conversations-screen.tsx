import { useState } from 'react';
import { useSearch } from 'wouter';
import { t } from '../../language/translate';
import { useUrlFilters } from '../../app/url-filters';
import { AsOf } from '../../ui/time';
import { PageHeader } from '../../ui/page-header';
import { Empty } from '../../ui/states';
import { useLiveness } from '../../app/live';
import { useConversations } from './conversation-queries';
import { ConversationList } from './conversation-list';
import { queryOf, type ShownConversations } from './shown-conversations';
import { Thread } from './thread';

const FILTERS: ShownConversations & { id: string } = { search: '', show: 'wrote', state: 'Open', id: '' };

/** The list of conversations with the selected one beside it. */
export default function ConversationsScreen() {
  const [filters, setFilters] = useUrlFilters(FILTERS);
  const list = useConversations(queryOf(filters));
  const isLive = useLiveness() === 'live';
  const search = useSearch();
  // Counts the conversations opened by keyboard in a row: each moves the focus to its reply area.
  const [opened, setOpened] = useState(0);
  /** URL of a conversation that keeps the list's filters. */
  const addressOf = (id: string) => {
    const address = new URLSearchParams(search);
    if (id) address.set('id', id);
    else address.delete('id');
    return `/conversations${address.size > 0 ? `?${address.toString()}` : ''}`;
  };
  return (
    <div className="conversations" data-open={filters.id !== '' || undefined}>
      <PageHeader title={t('Conversations')} asOf={<AsOf at={list.updatedAt} live={isLive} />} />
      <div className="conversations-panes">
        <ConversationList
          list={list}
          filters={filters}
          onFilter={setFilters}
          openedId={filters.id}
          addressOf={addressOf}
          onOpen={(byKeyboard) => setOpened((before) => (byKeyboard ? before + 1 : 0))}
        />
        <section className="thread-pane" aria-label={t('Conversation')}>
          {filters.id === '' ? (
            <Empty title={t('Select a conversation')} icon="chat" hint={t('Its messages appear here.')} />
          ) : (
            <Thread key={filters.id} conversationId={filters.id} backTo={addressOf('')} enteredBy={opened} />
          )}
        </section>
      </div>
    </div>
  );
}
