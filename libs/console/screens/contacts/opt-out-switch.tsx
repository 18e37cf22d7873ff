import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addOptOut, removeOptOut } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { sayDone } from '../../ui/toast';
import { Time } from '../../ui/time';

/** Whether somebody wants messages, and the way to note that they changed their mind. */
export function OptOutSwitch({ contact }: { contact: ContactDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { phone, userId, optedOut, optedOutAt } = contact;
  const person = phone ?? userId;
  const changed = useMutation({
    mutationFn: async () => {
      if (optedOut) await call(removeOptOut, { path: { phone: person! } });
      else await call(addOptOut, { body: { phone: phone! } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['contacts'] });
      void queries.invalidateQueries({ queryKey: ['opt-outs'] });
      sayDone(optedOut ? 'They can be written to again' : 'Nothing is sent to them any more');
      setAsking(false);
    },
  });
  const mayChange = session.can('groups:manage') && (optedOut ? person !== null : phone !== null);
  return (
    <>
      <p>
        {optedOut ? (
          <>
            <strong>No.</strong> Opted out {optedOutAt && <Time at={optedOutAt} />}: messages to them are refused, and
            jobs skip them.
          </>
        ) : (
          <>
            <strong>Yes.</strong> They have not opted out.
          </>
        )}
      </p>
      {mayChange && (
        <div className="row">
          <Button onClick={() => setAsking(true)}>{optedOut ? 'They asked to be written to again' : 'Opt out'}</Button>
        </div>
      )}
      {isAsking && (
        <FormDialog
          title={optedOut ? 'Take the opt-out back?' : 'Opt this person out?'}
          lead={
            optedOut
              ? 'Do so only if the person has asked for it. They can be written to again at once, marketing included.'
              : 'From now on nothing is sent to them: single messages are refused, and jobs that run skip them.'
          }
          danger={!optedOut}
          cancel="Leave it"
          action={optedOut ? 'Take it back' : 'Opt out'}
          work={changed}
          onSubmit={() => changed.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
