import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAccount } from '../../../client/generated/sdk.gen';
import type { AccountDto, ChangeAccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/states';
import { showToast } from '../../ui/toast';

type OpenDialog = 'stop' | 'suspend' | null;

/** The emergency stop and the suspension of an account. */
export function AccountActions({ account }: { account: AccountDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const [isReady, setReady] = useState(false);
  const change = useMutation({
    mutationFn: ({ body }: { body: ChangeAccountDto; done: string }) =>
      call(updateAccount, { path: { accountId: account.id }, body }),
    onSuccess: async (_, { done }) => {
      setOpenDialog(null);
      showToast(done);
      await queries.invalidateQueries({ queryKey: queryKeys.accounts.all });
    },
  });
  const show = (next: OpenDialog) => {
    change.reset();
    setReady(false);
    setOpenDialog(next);
  };
  const isOwn = account.id === session.account.id;
  return (
    <>
      {account.sendingPaused ? (
        <Button
          icon="play"
          busy={change.isPending}
          onClick={() => change.mutate({ body: { sendingPaused: false }, done: t('Sending resumed') })}
        >
          {t('Resume sending')}
        </Button>
      ) : (
        <Button variant="danger" icon="stop" onClick={() => show('stop')}>
          {t('Stop sending')}
        </Button>
      )}
      {account.status === 'Suspended' ? (
        <Button
          busy={change.isPending}
          onClick={() => change.mutate({ body: { status: 'Active' }, done: t('Account activated') })}
        >
          {t('Activate')}
        </Button>
      ) : (
        // The operator's own account cannot suspend itself.
        !isOwn && <Button onClick={() => show('suspend')}>{t('Suspend')}</Button>
      )}
      {change.isError && openDialog === null && <ErrorLine error={change.error} />}
      <FormDialog
        open={openDialog === 'stop'}
        title={t('Stop all sending for this account?')}
        lead={t('Sending stops within 2 seconds. Jobs keep their progress and continue when you resume sending.')}
        danger
        action={t('Stop sending')}
        icon="stop"
        mutation={change}
        onSubmit={() => change.mutate({ body: { sendingPaused: true }, done: t('Sending stopped') })}
        onClose={() => show(null)}
      />
      <FormDialog
        open={openDialog === 'suspend'}
        title={t('Suspend this account?')}
        lead={t(
          'Until you activate it again, its API requests are rejected, its keys cannot sign in, and nothing is sent.',
        )}
        danger
        action={t('Suspend')}
        disabled={!isReady}
        mutation={change}
        onSubmit={() => change.mutate({ body: { status: 'Suspended' }, done: t('Account suspended') })}
        onClose={() => show(null)}
      >
        <ConfirmByTyping expected={account.name} label={t('Account name')} onReady={setReady} />
      </FormDialog>
    </>
  );
}
