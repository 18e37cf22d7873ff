import { useSearch } from 'wouter';
import { useUrlFilters } from '../../app/url-filters';
import { AsOf } from '../../ui/time';
import { PageHeader } from '../../ui/page-header';
import { Empty } from '../../ui/states';
import { useLiveness } from '../../app/live';
import { useConversations } from './conversation-queries';
import { ConversationList } from './conversation-list';
import { Thread } from './thread';

/** The list of conversations with the selected one beside it. */
export default function ConversationsScreen() {
  const [filters, setFilters] = useUrlFilters({ search: '', show: 'all', id: '' });
  const list = useConversations(filters.search, filters.show === 'unread');
  const isLive = useLiveness() === 'live';
  const search = useSearch();
  /** URL of a conversation that keeps the list's filters. */
  const addressOf = (id: string) => {
    const address = new URLSearchParams(search);
    if (id) address.set('id', id);
    else address.delete('id');
    return `/conversations${address.size > 0 ? `?${address.toString()}` : ''}`;
  };
  return (
    <div className="conversations" data-open={filters.id !== '' || undefined}>
      <PageHeader title="Conversations" asOf={<AsOf at={list.updatedAt} live={isLive} />} />
      <div className="conversations-panes">
        <ConversationList
          list={list}
          filters={filters}
          onFilter={setFilters}
          openedId={filters.id}
          addressOf={addressOf}
        />
        <section className="thread-pane" aria-label="Conversation">
          {filters.id === '' ? (
            <Empty title="Select a conversation" icon="chat" hint="Its messages appear here." />
          ) : (
            <Thread key={filters.id} conversationId={filters.id} backTo={addressOf('')} />
          )}
        </section>
      </div>
    </div>
  );
}
