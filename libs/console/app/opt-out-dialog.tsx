import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, removeOptOut } from '../../client/generated/sdk.gen';
import type { OptOutDto } from '../../client/generated/types.gen';
import { call } from '../api/call';
import { queryKeys } from '../api/query-keys';
import { rich, t } from '../language/translate';
import { FormDialog } from '../ui/form-dialog';
import { OneOf } from '../ui/checks';
import { PhoneNumber } from '../ui/phone-number';
import { showToast } from '../ui/toast';
import { useMarketingOptOut } from './marketing-opt-out';

/** A person as the API knows them: by number, by the platform's user id, or by both. */
export interface OptOutPerson {
  phone: string | null;
  userId: string | null;
  name: string | null;
  optedOut: boolean;
}

/** Asks what a person opts out of, or confirms the end of it. */
export function OptOutDialog({
  person: { phone, userId, name, optedOut },
  onClose,
}: {
  person: OptOutPerson;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [scope, setScope] = useState<OptOutDto['scope']>('All');
  const isOutOfMarketing = useMarketingOptOut({ phone, userId }) !== undefined;
  const change = useMutation({
    mutationFn: async () => {
      if (optedOut) await call(removeOptOut, { path: { phone: (phone ?? userId)! } });
      else await call(addOptOut, { body: { ...(phone === null ? { userId } : { phone }), scope } });
    },
    onSuccess: async () => {
      const shown = [queryKeys.contacts.all, queryKeys.conversation.all];
      await Promise.all(shown.map((queryKey) => queries.invalidateQueries({ queryKey })));
      void queries.invalidateQueries({ queryKey: queryKeys.conversations.all });
      void queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
      showToast(optedOut ? t('Opted in again') : scope === 'All' ? t('Opted out') : t('Opted out of marketing'));
      onClose();
    },
  });
  const person = name === null && phone !== null ? <PhoneNumber value={phone} /> : <bdi>{name ?? userId}</bdi>;
  return (
    <FormDialog
      title={optedOut ? t('Opt this person back in?') : t('Opt this person out?')}
      lead={
        optedOut
          ? rich(
              'Do this only if {person} has asked for it. They can then receive messages immediately, including marketing.',
              { person },
            )
          : isOutOfMarketing
            ? rich('Nothing will be sent to {person}: single messages are rejected, and running jobs skip them.', {
                person,
              })
            : rich('Choose what {person} asked for. Running jobs skip them at once.', { person })
      }
      danger={!optedOut}
      cancel={t('Cancel')}
      action={optedOut ? t('Opt in') : t('Opt out')}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {!optedOut && !isOutOfMarketing && (
        <OneOf
          legend={t('What they no longer want')}
          choices={[
            {
              value: 'All',
              label: t('Everything'),
              hint: t('Nothing is sent to them. If they write again, a reply may answer them.'),
            },
            {
              value: 'Marketing',
              label: t('Only advertising'),
              hint: t('Marketing templates are not sent to them; replies and other templates still are.'),
            },
          ]}
          value={scope}
          onChange={setScope}
        />
      )}
    </FormDialog>
  );
}
