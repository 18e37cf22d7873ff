import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteGroup, getGroup } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { counted } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { Menu } from '../../ui/menu';
import { PageHeader } from '../../ui/page-header';
import { Empty, Loaded } from '../../ui/states';
import { AsOf } from '../../ui/time';
import { sayDone } from '../../ui/toast';
import { ChangeGroup } from './group-form';
import { ImportFile } from './import-file';
import { Members } from './members';
import { AddMembers } from './add-members';

type Opened = 'rename' | 'delete' | 'import' | 'add' | null;

/** One group: who is in it, and how people get in. */
export default function GroupScreen({ params }: ScreenProps) {
  const groupId = params.groupId ?? '';
  const group = useQuery({
    queryKey: ['groups', groupId],
    queryFn: ({ signal }) => call(getGroup, { path: { groupId } }, { signal }),
  });
  if (group.isError && asMessagingError(group.error).code === 'group_not_found') {
    return (
      <>
        <PageHeader title="Group" />
        <Empty title="This group is gone" icon="people" hint="It was deleted. Its contacts are still there.">
          <ButtonLink to="/groups">To all groups</ButtonLink>
        </Empty>
      </>
    );
  }
  return group.data ? (
    <Group group={group.data} updatedAt={group.dataUpdatedAt} />
  ) : (
    <>
      <PageHeader title="Group" />
      <Loaded query={group}>{() => null}</Loaded>
    </>
  );
}

function Group({ group, updatedAt }: { group: GroupDto; updatedAt: number }) {
  const session = useSession();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const mayManage = session.can('groups:manage');
  return (
    <>
      <PageHeader
        title={group.name}
        lead={
          <span dir="auto">
            {counted(group.contactCount, 'contact')}
            {group.description && ` · ${group.description}`}
          </span>
        }
        asOf={<AsOf at={updatedAt} />}
        actions={
          <>
            {mayManage && (
              <>
                <Button icon="plus" onClick={() => setOpened('add')}>
                  Add people
                </Button>
                <Button icon="upload" onClick={() => setOpened('import')}>
                  Import a file
                </Button>
                <Menu
                  label="More"
                  actions={[
                    { label: 'Rename…', onSelect: () => setOpened('rename') },
                    { label: 'Delete…', icon: 'close', danger: true, onSelect: () => setOpened('delete') },
                  ]}
                />
              </>
            )}
            {session.can('messaging:send') && group.contactCount > 0 && (
              <ButtonLink to={`/send/group?group=${group.id}`} variant="primary" icon="send">
                Send to this group
              </ButtonLink>
            )}
          </>
        }
      />
      <Members group={group} mayManage={mayManage} onImport={() => setOpened('import')} />
      {opened === 'rename' && <ChangeGroup group={group} onClose={close} />}
      {opened === 'delete' && <DeleteGroup group={group} onClose={close} />}
      {opened === 'add' && <AddMembers group={group} onClose={close} />}
      {opened === 'import' && <ImportFile group={group} onClose={close} />}
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
      queries.removeQueries({ queryKey: ['groups', group.id] });
      void queries.invalidateQueries({ queryKey: ['groups'] });
      void queries.invalidateQueries({ queryKey: ['contacts'] });
      sayDone('The group is deleted');
      navigate('/groups');
    },
  });
  return (
    <FormDialog
      title="Delete this group?"
      lead={`Its ${counted(group.contactCount, 'contact')} stay in the address book and in their other groups. Jobs that were made for the group go on.`}
      danger
      cancel="Keep it"
      action="Delete the group"
      disabled={!isTyped}
      work={deleted}
      onSubmit={() => deleted.mutate()}
      onClose={onClose}
    >
      <ConfirmByTyping expected={group.name} label="Name of the group" onReady={setTyped} />
    </FormDialog>
  );
}
