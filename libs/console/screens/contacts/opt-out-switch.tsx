import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, removeOptOut } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { showToast } from '../../ui/toast';
import { Time } from '../../ui/time';

/** The opt-out status of a contact, with a button to change it. */
export function OptOutSwitch({ contact }: { contact: ContactDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { phone, userId, optedOut, optedOutAt } = contact;
  const person = phone ?? userId;
  const change = useMutation({
    mutationFn: async () => {
      if (optedOut) await call(removeOptOut, { path: { phone: person! } });
      else await call(addOptOut, { body: phone === null ? { userId } : { phone } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      void queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      showToast(optedOut ? t('Opted in again') : t('Opted out'));
      setConfirming(false);
    },
  });
  const canChange = session.can('groups:manage') && person !== null;
  return (
    <>
      <p>
        {optedOut ? (
          rich('<b>Opted out</b> {time}: messages to this contact are rejected, and jobs skip it.', {
            b: (text) => <strong>{text}</strong>,
            time: optedOutAt ? <Time at={optedOutAt} /> : '',
          })
        ) : (
          <strong>{t('Not opted out.')}</strong>
        )}
      </p>
      {canChange && (
        <div className="row">
          <Button onClick={() => setConfirming(true)}>{optedOut ? t('Opt in') : t('Opt out')}</Button>
        </div>
      )}
      {isConfirming && (
        <FormDialog
          title={optedOut ? t('Opt this contact back in?') : t('Opt this contact out?')}
          lead={
            optedOut
              ? t(
                  'Do this only at the person’s request. They can then receive messages immediately, including marketing.',
                )
              : t('Nothing will be sent to them: single messages are rejected, and running jobs skip them.')
          }
          danger={!optedOut}
          cancel={t('Cancel')}
          action={optedOut ? t('Opt in') : t('Opt out')}
          mutation={change}
          onSubmit={() => change.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
