import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAccount } from '../../../client/generated/sdk.gen';
import type { AccountDto, ChangeAccountDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/states';
import { sayDone } from '../../ui/toast';

type Asked = 'stop' | 'suspend' | null;

/** The emergency stop of an account, and its suspension. */
export function AccountActions({ account }: { account: AccountDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>(null);
  const [isReady, setReady] = useState(false);
  const change = useMutation({
    mutationFn: ({ body }: { body: ChangeAccountDto; done: string }) =>
      call(updateAccount, { path: { accountId: account.id }, body }),
    onSuccess: async (_, { done }) => {
      setAsked(null);
      sayDone(done);
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
  });
  const ask = (next: Asked) => {
    change.reset();
    setReady(false);
    setAsked(next);
  };
  const isOwn = account.id === session.account.id;
  return (
    <>
      {account.sendingPaused ? (
        <Button
          icon="play"
          busy={change.isPending}
          onClick={() => change.mutate({ body: { sendingPaused: false }, done: 'The account sends again' })}
        >
          Let it send again
        </Button>
      ) : (
        <Button variant="danger" icon="stop" onClick={() => ask('stop')}>
          Stop sending
        </Button>
      )}
      {account.status === 'Suspended' ? (
        <Button
          busy={change.isPending}
          onClick={() => change.mutate({ body: { status: 'Active' }, done: 'The account is active' })}
        >
          Activate
        </Button>
      ) : (
        // The operator's own account cannot suspend itself.
        !isOwn && <Button onClick={() => ask('suspend')}>Suspend</Button>
      )}
      {change.isError && asked === null && <ErrorLine error={change.error} />}
      <FormDialog
        open={asked === 'stop'}
        title="Stop all sending of this account?"
        lead="Within 2 seconds nothing more leaves. Jobs keep their place and go on when you let the account send again."
        danger
        action="Stop sending"
        icon="stop"
        work={change}
        onSubmit={() => change.mutate({ body: { sendingPaused: true }, done: 'Sending is stopped' })}
        onClose={() => ask(null)}
      />
      <FormDialog
        open={asked === 'suspend'}
        title="Suspend this account?"
        lead="Its requests are refused, nobody can sign in with its keys, and it sends nothing, until you activate it."
        danger
        action="Suspend"
        disabled={!isReady}
        work={change}
        onSubmit={() => change.mutate({ body: { status: 'Suspended' }, done: 'The account is suspended' })}
        onClose={() => ask(null)}
      >
        <ConfirmByTyping expected={account.name} label="Name of the account" onReady={setReady} />
      </FormDialog>
    </>
  );
}
