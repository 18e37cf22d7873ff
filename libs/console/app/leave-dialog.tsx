import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { t } from '../language/translate';

/** The confirmation before a form with unsent contents is left. */
export default function LeaveDialog({
  forgets,
  sending,
  onStay,
  onLeave,
  onDiscard,
}: {
  /** The drafts that leaving removes in any case; null: it keeps them. */
  forgets: readonly string[] | null;
  /** It is being sent. */
  sending: boolean;
  onStay: () => void;
  onLeave: () => void;
  onDiscard: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onStay}
      title={sending ? t('Leave while it is being sent?') : t('Leave without sending?')}
      lead={leadOf(forgets, sending)}
      footer={
        <>
          {/* First, so that it has the initial focus. */}
          <Button onClick={onStay}>{t('Stay here')}</Button>
          {/* Without its draft, the same text would be sent a second time. */}
          {(forgets !== null || !sending) && (
            <Button variant={forgets ? 'danger' : 'quiet'} onClick={onDiscard}>
              {forgets ? t('Delete and sign out') : t('Discard draft')}
            </Button>
          )}
          {forgets === null && (
            <Button variant="primary" onClick={onLeave}>
              {t('Leave')}
            </Button>
          )}
        </>
      }
    >
      {forgets !== null && forgets.length > 0 && (
        <ul>
          {forgets.map((name, index) => (
            <li key={index} dir="auto">
              {name}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function leadOf(forgets: readonly string[] | null, sending: boolean): string {
  if (!sending) {
    return forgets
      ? forgets.length > 0
        ? t('Signing out deletes {count, plural, one {a draft} other {# drafts}} in this browser:', {
            count: forgets.length,
          })
        : t('Signing out deletes what you typed.')
      : t('What you typed stays in this tab as a draft for a day. A file has to be chosen again.');
  }
  return forgets
    ? t('The service has not answered yet. If you sign out, it may still be sent, and what you typed is deleted.')
    : t(
        'The service has not answered yet. If you leave, it may still be sent. Until it is, what you typed stays in this tab as a draft.',
      );
}
