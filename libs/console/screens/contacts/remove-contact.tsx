import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteContact } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { t } from '../../language/translate';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Segments } from '../../ui/segments';
import { phoneText } from '../../ui/phone-text';
import { showToast } from '../../ui/toast';

/** Deletes a contact, or erases all data of the person after confirmation by phone number. */
export function RemoveContact({ contact, onClose }: { contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [mode, setMode] = useState<'delete' | 'erase'>('delete');
  const [isTyped, setTyped] = useState(false);
  const isErasing = mode === 'erase';
  const removed = useMutation({
    mutationFn: () => {
      const path = { contactId: contact.id };
      return call(deleteContact, { path, ...(isErasing && { query: { erase: 'true' as const } }) });
    },
    onSuccess: (answer) => {
      queries.removeQueries({ queryKey: queryKeys.contacts.one(contact.id) });
      for (const resource of [queryKeys.contacts, queryKeys.groups, queryKeys.conversations, queryKeys.messages]) {
        void queries.invalidateQueries({ queryKey: resource.all });
      }
      const isPending = isErasing && typeof answer === 'object' && answer !== null && 'status' in answer;
      showToast(
        isErasing ? t('Personal data erased') : t('Contact deleted'),
        isPending ? t('There is a lot of data; erasing continues in the background.') : undefined,
      );
      navigate('/contacts');
    },
  });
  return (
    <FormDialog
      title={isErasing ? t('Erase this person?') : t('Delete this contact?')}
      lead={
        isErasing
          ? t(
              'All data of this person is permanently deleted: conversation, message contents and numbers, files, and values in jobs. Pending messages are skipped. Counts and an opt-out are kept.',
            )
          : t(
              'The contact is removed from the address book and its groups. Messages and an opt-out are kept, and running jobs still send to it.',
            )
      }
      danger
      leaves
      cancel={t('Cancel')}
      action={isErasing ? t('Erase permanently') : t('Delete')}
      disabled={isErasing && !isTyped}
      mutation={removed}
      onSubmit={() => removed.mutate()}
      onClose={onClose}
    >
      <Segments
        label={t('What to delete')}
        value={mode}
        onChange={setMode}
        choices={[
          { value: 'delete', label: t('Delete the contact') },
          { value: 'erase', label: t('Erase the person') },
        ]}
      />
      {isErasing && (
        <ConfirmByTyping
          expected={contact.phone ? phoneText(contact.phone) : (contact.userId ?? 'erase')}
          label={contact.phone ? t('Phone number') : contact.userId ? t('WhatsApp user ID') : t('Confirmation')}
          onReady={setTyped}
        />
      )}
    </FormDialog>
  );
}
