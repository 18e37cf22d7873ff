import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listConversations } from '../../../client/generated/sdk.gen';
import type { ConversationDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { showToast } from '../../ui/toast';
import { takeFailed, watchesUnlisted } from './own-replies';
import { nameOf } from './person-name';

const POLL_MS = 10_000;
const DONE_LIMIT = 50;

/** Says so when a reply of this tab failed in a conversation that was left, also in one that is done and so not in `listed`. */
export function useFailedReplies(
  listed: readonly ConversationDto[] | undefined,
  openedId: string,
  open: (id: string) => void,
): void {
  const { data } = useQuery({
    queryKey: [...queryKeys.conversations.all, 'done'],
    enabled: listed !== undefined && watchesUnlisted(listed, Date.now()),
    // No event reports the status of a message.
    refetchInterval: POLL_MS,
    queryFn: ({ signal }) => call(listConversations, { query: { state: 'Done', limit: DONE_LIMIT } }, { signal }),
  });
  const done = data?.items;
  useEffect(() => {
    for (const failed of takeFailed([...(listed ?? []), ...(done ?? [])], openedId, Date.now())) {
      const action = { label: t('Open', {}, 'a conversation'), run: () => open(failed.id) };
      showToast(t('Your reply to {name} was not delivered', { name: nameOf(failed) }), undefined, action, 'problem');
    }
  });
}
