import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listGroupContacts, removeGroupContacts } from '../../../client/generated/sdk.gen';
import type { ContactDto, GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useCursorList } from '../../app/cursor-list';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { Button, IconButton } from '../../ui/button';
import { CursorRows } from '../../ui/cursor-rows';
import { FormDialog } from '../../ui/form-dialog';
import { Panel } from '../../ui/panel';
import { phoneText } from '../../ui/phone-text';
import { SearchField } from '../../ui/search-field';
import { showToast } from '../../ui/toast';
import { ContactHead, contactColumns, ContactRow } from '../contacts/contact-row';

/** The members of a group. */
export function Members({ group, canManage, onImport }: { group: GroupDto; canManage: boolean; onImport: () => void }) {
  const [filters, setFilters] = useUrlFilters({ search: '' });
  const [removing, setRemoving] = useState<ContactDto | null>(null);
  const list = useCursorList<ContactDto>({
    key: queryKeys.groups.members(group.id, filters),
    load: (cursor, signal) => {
      const search = filters.search.replace(/^\+/, '');
      const query = { cursor, limit: 100, ...(search && { search }) };
      return call(listGroupContacts, { path: { groupId: group.id }, query }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ id }) => id,
  });
  const columns = contactColumns(list.items ?? [], t('Other groups'), group.id);
  return (
    <>
      <div className="filters">
        <SearchField
          label={t('Search members')}
          placeholder={t('Name or number')}
          value={filters.search}
          onChange={(search) => setFilters({ search })}
        />
      </div>
      <Panel title={t('Members')} flush>
        <CursorRows
          list={list}
          label={t('Contacts of the group')}
          rowHeight={60}
          total={filters.search ? undefined : group.contactCount}
          counts
          head={<ContactHead columns={columns} hasAction={canManage} />}
          row={(contact) => (
            <ContactRow contact={contact} columns={columns} groupId={group.id}>
              {canManage && (
                <IconButton
                  small
                  icon="close"
                  label={t('Remove {name} from the group', { name: nameOf(contact) })}
                  onClick={() => setRemoving(contact)}
                />
              )}
            </ContactRow>
          )}
          empty={
            filters.search
              ? {
                  title: t('No matches'),
                  hint: t('Search by part of a name, or by the start or the last 4 digits of a number.'),
                }
              : {
                  title: t('This group is empty'),
                  icon: 'people',
                  hint: canManage ? t('Add people, or import a file.') : t('Your key cannot add contacts.'),
                  children: canManage && (
                    <Button variant="primary" onClick={onImport}>
                      {t('Import file')}
                    </Button>
                  ),
                }
          }
        />
      </Panel>
      {removing && <RemoveMember group={group} contact={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function RemoveMember({ group, contact, onClose }: { group: GroupDto; contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  const removed = useMutation({
    mutationFn: () => {
      return call(removeGroupContacts, { path: { groupId: group.id }, body: { contactIds: [contact.id] } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(t('{name} removed from the group', { name: nameOf(contact) }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Remove {name} from the group?', { name: nameOf(contact) })}
      lead={t('The contact stays in the address book and in its other groups.')}
      cancel={t('Cancel')}
      action={t('Remove')}
      mutation={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    />
  );
}

function nameOf({ name, phone, userId }: ContactDto): string {
  return name ?? (phone ? phoneText(phone) : (userId ?? t('this contact')));
}
