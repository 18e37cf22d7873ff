import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteContact } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Segments } from '../../ui/segments';
import { sayDone } from '../../ui/toast';

/** Deletes a contact, or erases the person everywhere; the second asks for the number. */
export function RemoveContact({ contact, onClose }: { contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [what, setWhat] = useState<'delete' | 'erase'>('delete');
  const [isTyped, setTyped] = useState(false);
  const isErasing = what === 'erase';
  const removed = useMutation({
    mutationFn: () => {
      const path = { contactId: contact.id };
      return call(deleteContact, { path, ...(isErasing && { query: { erase: 'true' as const } }) });
    },
    onSuccess: (answer) => {
      queries.removeQueries({ queryKey: ['contacts', contact.id] });
      for (const key of ['contacts', 'groups', 'conversations', 'messages']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
      const goesOn = isErasing && typeof answer === 'object' && answer !== null && 'status' in answer;
      sayDone(
        isErasing ? 'The person is erased' : 'The contact is deleted',
        goesOn ? 'There is much of it: the rest goes on by itself.' : undefined,
      );
      navigate('/contacts');
    },
  });
  return (
    <FormDialog
      title={isErasing ? 'Erase this person?' : 'Delete this contact?'}
      lead={
        isErasing
          ? 'Everything that the account has of this person is deleted for good: conversation, contents and numbers of messages, files, values in jobs. Who still waits in a job is skipped. Counts stay, and so does an opt-out.'
          : 'The contact leaves the address book and its groups. Messages stay, jobs that run still send to it, and an opt-out stays.'
      }
      danger
      cancel="Keep it"
      action={isErasing ? 'Erase for good' : 'Delete'}
      disabled={isErasing && !isTyped}
      work={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    >
      <Segments
        label="How much"
        value={what}
        onChange={setWhat}
        choices={[
          { value: 'delete', label: 'Delete the contact' },
          { value: 'erase', label: 'Erase the person' },
        ]}
      />
      {isErasing && (
        <ConfirmByTyping
          expected={contact.phone ?? contact.userId ?? 'erase'}
          label="Number of the person"
          onReady={setTyped}
        />
      )}
    </FormDialog>
  );
}
