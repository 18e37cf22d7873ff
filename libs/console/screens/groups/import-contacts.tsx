import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { listGroups } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Combobox } from '../../ui/combobox';
import { Dialog } from '../../ui/dialog';
import { Loaded } from '../../ui/states';
import { NewGroup } from './group-form';

/** The dialog that leads from the contacts to the import of a file: into a group to choose, or a new one. */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [groupId, setGroupId] = useState<string | null>(null);
  const [isNew, setNew] = useState(false);
  const groups = useQuery({
    queryKey: queryKeys.groups.choice,
    queryFn: ({ signal }) => call(listGroups, { query: { pageSize: 100 } }, { signal }),
  });
  if (isNew || groups.data?.items.length === 0) return <NewGroup thenImport onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Import contacts')}
      lead={t('Contacts are imported into a group, so that you can send to all of them.')}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" disabled={groupId === null} onClick={() => navigate(`/groups/${groupId}?import=1`)}>
            {t('Choose a file')}
          </Button>
        </>
      }
    >
      <Loaded query={groups}>
        {({ items }) => (
          <Combobox
            label={t('Group')}
            placeholder={t('Group name')}
            value={groupId}
            choices={items.map(({ id, name, contactCount: count }) => ({
              value: id,
              label: t('{name} ({count, plural, one {# contact} other {# contacts}})', { name, count }),
            }))}
            onChange={setGroupId}
          />
        )}
      </Loaded>
      <div className="row">
        <Button icon="plus" onClick={() => setNew(true)}>
          {t('New group')}
        </Button>
      </div>
    </Dialog>
  );
}
