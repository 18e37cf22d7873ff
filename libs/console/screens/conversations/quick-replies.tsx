import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { listQuickReplies } from '../../../client/generated/sdk.gen';
import type { QuickReplyDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { Menu } from '../../ui/menu';
import { matchingReplies } from './matching-replies';
import { QuickRepliesDialog } from './quick-replies-dialog';

/** Above this number the menu has a search field. */
const MOST_UNSEARCHED = 8;
const NONE: readonly QuickReplyDto[] = [];

/** The quick replies of the account; undefined until they are loaded. */
export function useQuickReplies(): readonly QuickReplyDto[] | undefined {
  const { data, isPending } = useQuery({
    queryKey: queryKeys.quickReplies,
    queryFn: ({ signal }) => call(listQuickReplies, {}, { signal }),
  });
  return data?.items ?? (isPending ? undefined : NONE);
}

/** The menu of the quick replies, to insert into a reply. */
export function QuickReplies({
  replies: loaded,
  draft,
  field,
  onInsert,
}: {
  /** Undefined until they are loaded: a menu that is open then would lose the focus. */
  replies: readonly QuickReplyDto[] | undefined;
  draft: string;
  /** The field of the reply, which takes the focus. */
  field: RefObject<HTMLElement | null>;
  onInsert: (text: string) => void;
}) {
  const [isManaging, setManaging] = useState(false);
  const [search, setSearch] = useState('');
  const replies = loaded ?? NONE;
  return (
    <>
      <Menu
        label={t('Quick replies')}
        small
        disabled={!loaded}
        finalFocus={field}
        search={
          replies.length > MOST_UNSEARCHED
            ? { label: t('Search quick replies'), value: search, onChange: setSearch }
            : undefined
        }
        actions={[
          ...matchingReplies(replies, search).map(({ id, name, text }) => ({
            ...{ id, label: name, onSelect: () => onInsert(text) },
          })),
          { id: 'manage', label: t('Manage quick replies…'), icon: 'plus' as const, onSelect: () => setManaging(true) },
        ]}
      />
      {isManaging && <QuickRepliesDialog items={replies} draft={draft} onClose={() => setManaging(false)} />}
    </>
  );
}
