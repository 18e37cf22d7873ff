import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createGroup, updateGroup } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { t } from '../../language/translate';
import { fieldErrorOf } from '../../app/field-problem';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { showToast } from '../../ui/toast';

interface Fields {
  name: string;
  description: string;
}

/** The dialog to create a group; opens the group afterwards, or the import of a file into it. */
export function NewGroup({ thenImport = false, onClose }: { thenImport?: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const create = useSendOnce(
    useCallback(({ name, description }: Fields, idempotencyKey: string) => {
      return call(createGroup, { body: { name, ...(description && { description }) } }, { idempotencyKey });
    }, []),
  );
  return (
    <GroupDialog
      {...(thenImport
        ? {
            title: t('Import contacts: first a group for them'),
            lead: t(
              'Contacts are imported into a group, so that you can send to all of them. Next, you choose the file.',
            ),
            action: t('Create and choose a file'),
          }
        : { title: t('New group'), action: t('Create') })}
      onClose={onClose}
      save={async (fields) => {
        const group = await create(fields);
        await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
        showToast(t('Group created'), thenImport ? undefined : t('Now add people.'));
        navigate(`/groups/${group.id}${thenImport ? '?import=1' : ''}`);
      }}
    />
  );
}

/** The dialog to edit the name and description of a group. */
export function ChangeGroup({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <GroupDialog
      title={t('Edit group')}
      action={t('Save')}
      group={group}
      onClose={onClose}
      save={async ({ name, description }) => {
        await call(updateGroup, { path: { groupId: group.id }, body: { name, description: description || null } });
        await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
        showToast(t('Group saved'));
      }}
    />
  );
}

function GroupDialog({
  title,
  lead,
  action,
  group,
  save,
  onClose,
}: {
  title: string;
  lead?: string;
  action: string;
  group?: GroupDto;
  save: (fields: Fields) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const saved = useMutation({ mutationFn: save, onSuccess: onClose });
  const failure = saved.isError ? asMessagingError(saved.error) : null;
  const isTaken = failure?.code === 'group_name_taken';
  const nameError = isTaken ? t('Another group already has this name.') : fieldErrorOf(failure, 'name');
  return (
    <FormDialog
      title={title}
      lead={lead}
      action={action}
      leaves={!group}
      disabled={name.trim() === ''}
      mutation={saved}
      error={nameError === undefined ? failure : null}
      onSubmit={() => saved.mutate({ name: name.trim(), description: description.trim() })}
      onClose={onClose}
    >
      <Input label={t('Name')} dir="auto" autoComplete="off" value={name} error={nameError} onChange={setName} />
      <Input
        label={t('Description')}
        dir="auto"
        autoComplete="off"
        hint={t('What the group is for. Optional.')}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  );
}
