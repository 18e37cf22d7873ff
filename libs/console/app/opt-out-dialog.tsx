import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addOptOut, removeOptOut } from '../../client/generated/sdk.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { t } from '../language/translate';
import { FormDialog } from '../ui/form-dialog';
import { showToast } from '../ui/toast';

/** A person as the API knows them: by number, by the platform's user id, or by both. */
export interface OptOutPerson {
  phone: string | null;
  userId: string | null;
  optedOut: boolean;
}

/** Confirms the opt-out of a person, or the end of it. */
export function OptOutDialog({
  person: { phone, userId, optedOut },
  onClose,
}: {
  person: OptOutPerson;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async () => {
      if (optedOut) await call(removeOptOut, { path: { phone: (phone ?? userId)! } });
      else await call(addOptOut, { body: phone === null ? { userId } : { phone } });
    },
    onSuccess: async () => {
      const shown = [queryKeys.contacts.all, queryKeys.conversation.all];
      await Promise.all(shown.map((queryKey) => queries.invalidateQueries({ queryKey })));
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
      void queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      showToast(optedOut ? t('Opted in again') : t('Opted out'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={optedOut ? t('Opt this person back in?') : t('Opt this person out?')}
      lead={
        optedOut
          ? t('Do this only at the person’s request. They can then receive messages immediately, including marketing.')
          : t('Nothing will be sent to them: single messages are rejected, and running jobs skip them.')
      }
      danger={!optedOut}
      cancel={t('Cancel')}
      action={optedOut ? t('Opt in') : t('Opt out')}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    />
  );
}
