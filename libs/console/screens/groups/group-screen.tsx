import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteGroup, getGroup } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ButtonLink } from '../../ui/link';
import { Menu } from '../../ui/menu';
import { PageHeader } from '../../ui/page-header';
import { Empty, Loaded } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { ChangeGroup } from './group-form';
import { ImportFile } from './import-file';
import { Members } from './members';
import { AddMembers } from './add-members';

type OpenDialog = 'rename' | 'delete' | 'import' | 'add' | null;

/** One group: its members, and actions to add more. */
export default function GroupScreen({ params }: ScreenProps) {
  const groupId = params.groupId ?? '';
  const group = useQuery({
    queryKey: queryKeys.groups.one(groupId),
    queryFn: ({ signal }) => call(getGroup, { path: { groupId } }, { signal }),
  });
  if (group.isError && asMessagingError(group.error).code === 'group_not_found') {
    return (
      <>
        <PageHeader title={t('Group')} />
        <Empty title={t('Group not found')} icon="people" hint={t('It was deleted. Its contacts were kept.')}>
          <ButtonLink to="/groups">{t('All groups')}</ButtonLink>
        </Empty>
      </>
    );
  }
  return group.data ? (
    <Group group={group.data} updatedAt={group.dataUpdatedAt} />
  ) : (
    <>
      <PageHeader title={t('Group')} />
      <Loaded query={group}>{() => null}</Loaded>
    </>
  );
}

function Group({ group, updatedAt }: { group: GroupDto; updatedAt: number }) {
  const session = useSession();
  const [filters, setFilters] = useUrlFilters({ import: '' });
  const canManage = session.can('groups:manage');
  const [openDialog, setOpenDialog] = useState<OpenDialog>(canManage && filters.import ? 'import' : null);
  const close = () => {
    setOpenDialog(null);
    if (filters.import) setFilters({ import: '' });
  };
  return (
    <>
      <PageHeader
        title={group.name}
        lead={
          <span dir="auto">
            {t('{count, plural, one {# contact} other {# contacts}}', { count: group.contactCount })}
            {group.description && ` · ${group.description}`}
          </span>
        }
        asOf={<AsOf at={updatedAt} />}
        actions={
          <>
            {canManage && (
              <>
                <Button icon="plus" onClick={() => setOpenDialog('add')}>
                  {t('Add people')}
                </Button>
                <Button icon="upload" onClick={() => setOpenDialog('import')}>
                  {t('Import file')}
                </Button>
                <Menu
                  label={t('More')}
                  actions={[
                    { label: t('Edit…'), onSelect: () => setOpenDialog('rename') },
                    { label: t('Delete…'), icon: 'close', danger: true, onSelect: () => setOpenDialog('delete') },
                  ]}
                />
              </>
            )}
            {session.can('messaging:send') && group.contactCount > 0 && (
              <ButtonLink to={`/send/group?group=${group.id}`} variant="primary" icon="send">
                {t('Send to group')}
              </ButtonLink>
            )}
          </>
        }
      />
      <Members group={group} canManage={canManage} onImport={() => setOpenDialog('import')} />
      {openDialog === 'rename' && <ChangeGroup group={group} onClose={close} />}
      {openDialog === 'delete' && <DeleteGroup group={group} onClose={close} />}
      {openDialog === 'add' && <AddMembers group={group} onClose={close} />}
      {openDialog === 'import' && <ImportFile group={group} onClose={close} />}
    </>
  );
}

function DeleteGroup({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isTyped, setTyped] = useState(false);
  const deleted = useMutation({
    mutationFn: () => call(deleteGroup, { path: { groupId: group.id } }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: queryKeys.groups.one(group.id) });
      void queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(t('Group deleted'));
      navigate('/groups');
    },
  });
  return (
    <FormDialog
      title={t('Delete this group?')}
      lead={t(
        'Its {count, plural, one {# contact} other {# contacts}} stay in the address book and in their other groups. Jobs already created for the group continue.',
        { count: group.contactCount },
      )}
      danger
      leaves
      cancel={t('Cancel')}
      action={t('Delete group')}
      disabled={!isTyped}
      mutation={deleted}
      onSubmit={() => deleted.mutate()}
      onClose={onClose}
    >
      <ConfirmByTyping expected={group.name} label={t('Group name')} onReady={setTyped} />
    </FormDialog>
  );
}
