import { useState } from 'react';
import type { ContactDto } from '../../../client/generated/types.gen';
import { useMarketingOptOut } from '../../app/marketing-opt-out';
import { OptOutDialog } from '../../app/opt-out-dialog';
import { useSession } from '../../app/session';
import { rich, t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Time } from '../../ui/time';

/** The opt-out status of a contact, with a button to change it. */
export function OptOutSwitch({ contact }: { contact: ContactDto }) {
  const session = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const { phone, userId, optedOut, optedOutAt } = contact;
  const marketing = useMarketingOptOut(contact);
  const canChange = session.can('groups:manage') && (phone ?? userId) !== null;
  return (
    <>
      <p>
        {optedOut ? (
          rich('<b>Opted out</b> {time}: messages to this contact are rejected, and jobs skip it.', {
            b: (text) => <strong>{text}</strong>,
            time: optedOutAt ? <Time at={optedOutAt} /> : '',
          })
        ) : marketing ? (
          rich('<b>Opted out of marketing messages</b> {time}: other messages are still sent.', {
            b: (text) => <strong>{text}</strong>,
            time: <Time at={marketing.createdAt} />,
          })
        ) : (
          <strong>{t('Not opted out.')}</strong>
        )}
      </p>
      {canChange && (
        <div className="row">
          <Button onClick={() => setConfirming(true)}>
            {optedOut ? t('Opt in') : marketing ? t('Opt out of all messages') : t('Opt out')}
          </Button>
        </div>
      )}
      {isConfirming && <OptOutDialog person={contact} onClose={() => setConfirming(false)} />}
    </>
  );
}
