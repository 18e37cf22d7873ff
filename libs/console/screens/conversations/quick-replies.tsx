import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { listQuickReplies } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { Menu } from '../../ui/menu';
import { QuickRepliesDialog } from './quick-replies-dialog';

/** The quick replies of the account, to insert into a reply. */
export function QuickReplies({
  draft,
  field,
  onInsert,
  disabled,
}: {
  draft: string;
  /** The field of the reply, which takes the focus. */
  field: RefObject<HTMLElement | null>;
  onInsert: (text: string) => void;
  disabled: boolean;
}) {
  const [isManaging, setManaging] = useState(false);
  const { data } = useQuery({
    queryKey: queryKeys.quickReplies,
    queryFn: ({ signal }) => call(listQuickReplies, {}, { signal }),
  });
  const items = data?.items ?? [];
  return (
    <>
      <Menu
        label={t('Quick replies')}
        small
        disabled={disabled}
        finalFocus={field}
        actions={[
          ...items.map(({ id, name, text }) => ({ id, label: name, onSelect: () => onInsert(text) })),
          { id: 'manage', label: t('Manage quick replies…'), icon: 'plus' as const, onSelect: () => setManaging(true) },
        ]}
      />
      {isManaging && <QuickRepliesDialog items={items} draft={draft} onClose={() => setManaging(false)} />}
    </>
  );
}
