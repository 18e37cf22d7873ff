import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addGroupContacts } from '../../../client/generated/sdk.gen';
import type { ContactsAddedDto, GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted } from '../../ui/format';
import { Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { MAX_PEOPLE, parsePeople } from './pasted-people';

/** The dialog to add typed or pasted people to a group. */
export function AddMembers({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const { contacts, lines } = parsePeople(text);
  const added = useMutation({
    mutationFn: () => call(addGroupContacts, { path: { groupId: group.id }, body: { contacts } }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      if (answer.invalid > 0) return;
      showToast(summaryOf(answer));
      onClose();
    },
  });
  const tooMany = contacts.length > MAX_PEOPLE;
  return (
    <FormDialog
      title="Add people"
      lead="One per line: the number with its country code, optionally followed by a comma and a name."
      cancel={added.isSuccess ? 'Done' : 'Cancel'}
      action={contacts.length === 0 ? 'Add' : `Add ${counted(contacts.length, 'person', 'people')}`}
      disabled={contacts.length === 0 || tooMany}
      mutation={added}
      onSubmit={() => added.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="People"
        rows={8}
        value={text}
        spellCheck={false}
        placeholder={'+49 151 12345678, Mira Aydın\n+49 160 7654321'}
        error={tooMany ? `At most ${count(MAX_PEOPLE)} at a time. Import a file to add more.` : undefined}
        onChange={(next) => {
          setText(next);
          added.reset();
        }}
      />
      {added.data && added.data.invalid > 0 && (
        <Note tone="warning">
          <p>
            {summaryOf(added.data)}. {counted(added.data.invalid, 'line')} not added:
          </p>
          <ul>
            {added.data.errors.slice(0, 20).map((one) => (
              <li key={one.index}>
                Line {lines[one.index] ?? one.index + 1}: {one.message}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </FormDialog>
  );
}

function summaryOf({ added, updated, duplicates }: ContactsAddedDto): string {
  const parts = [`${count(added)} added`];
  if (updated > 0) parts.push(`${count(updated)} already in the group`);
  if (duplicates > 0) parts.push(`${counted(duplicates, 'duplicate')}`);
  return parts.join(', ');
}
