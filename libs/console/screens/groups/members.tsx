import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listGroupContacts, removeGroupContacts } from '../../../client/generated/sdk.gen';
import type { ContactDto, GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useCursorList } from '../../app/cursor-list';
import { useUrlFilters } from '../../app/url-filters';
import { Button, IconButton } from '../../ui/button';
import { CursorRows } from '../../ui/cursor-rows';
import { FormDialog } from '../../ui/form-dialog';
import { Panel } from '../../ui/panel';
import { SearchField } from '../../ui/search-field';
import { sayDone } from '../../ui/toast';
import { ContactRow } from '../contacts/contact-row';

/** Who is in a group. */
export function Members({ group, mayManage, onImport }: { group: GroupDto; mayManage: boolean; onImport: () => void }) {
  const [filters, setFilters] = useUrlFilters({ search: '' });
  const [leaving, setLeaving] = useState<ContactDto | null>(null);
  const list = useCursorList<ContactDto>({
    key: ['groups', group.id, 'contacts', filters],
    load: (cursor, signal) => {
      const search = filters.search.replace(/^\+/, '');
      const query = { cursor, limit: 100, ...(search && { search }) };
      return call(listGroupContacts, { path: { groupId: group.id }, query }, { signal });
    },
    idOf: ({ id }) => id,
    orderOf: ({ id }) => id,
  });
  return (
    <>
      <div className="filters">
        <SearchField
          label="Search the group"
          placeholder="Name or number"
          value={filters.search}
          onChange={(search) => setFilters({ search })}
        />
      </div>
      <Panel title="Who is in it" flush>
        <CursorRows
          list={list}
          label="Contacts of the group"
          rowHeight={60}
          height={640}
          row={(contact) => (
            <ContactRow contact={contact}>
              {mayManage && (
                <IconButton
                  small
                  icon="close"
                  label={`Take ${nameOf(contact)} out of the group`}
                  onClick={() => setLeaving(contact)}
                />
              )}
            </ContactRow>
          )}
          empty={
            filters.search
              ? {
                  title: 'Nobody in the group fits',
                  hint: 'Search for a part of a name, or for the beginning of a number.',
                }
              : {
                  title: 'Nobody is in this group yet',
                  icon: 'people',
                  hint: mayManage
                    ? 'Add people by hand, or import a spreadsheet of them.'
                    : 'Your key can look, but not add anybody.',
                  children: mayManage && (
                    <Button variant="primary" onClick={onImport}>
                      Import a file
                    </Button>
                  ),
                }
          }
        />
      </Panel>
      {leaving && <Leave group={group} contact={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function Leave({ group, contact, onClose }: { group: GroupDto; contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  const removed = useMutation({
    mutationFn: () => {
      return call(removeGroupContacts, { path: { groupId: group.id }, body: { contactIds: [contact.id] } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['groups'] });
      void queries.invalidateQueries({ queryKey: ['contacts'] });
      sayDone(`${nameOf(contact)} is out of the group`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Take ${nameOf(contact)} out of the group?`}
      lead="The contact stays in the address book and in its other groups."
      cancel="Leave it in"
      action="Take out"
      work={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    />
  );
}

function nameOf({ name, phone, userId }: ContactDto): string {
  return name ?? (phone ? `+${phone}` : (userId ?? 'this contact'));
}
