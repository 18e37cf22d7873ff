import type { MessageDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';

/** The status of a message, as the API reports it. */
export type MessageStatus = MessageDto['status'];

const STATUS_ICONS: Record<MessageStatus, { path: string; label: string }> = {
  Queued: {
    path: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM8 5v3l2 1.500',
    label: t('Waiting to be sent'),
  },
  Sent: { path: 'm4 8.500 3 3 5.500-7', label: t('Sent') },
  Delivered: { path: 'm1 8.500 3 3 5.500-7M7.500 10.500l1 1L14 4.500', label: t('Delivered') },
  Read: { path: 'm1 8.500 3 3 5.500-7M7.500 10.500l1 1L14 4.500', label: t('Read') },
  Undelivered: { path: 'M8 3v6M8 12.500v.100', label: t('Not delivered') },
  Failed: { path: 'M8 3v6M8 12.500v.100', label: t('Failed') },
  Unknown: {
    path: 'M5.500 6C5.500 4.500 6.500 3.500 8 3.500s2.500 1 2.500 2.300C10.500 7.500 8 7.800 8 9.500M8 12.500v.100',
    label: t('Outcome unknown'),
  },
  Cancelled: { path: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM4 4l8 8', label: t('Cancelled') },
  Received: { path: '', label: '' },
};

/** The ticks of a message, with a text alternative. */
export function Ticks({ status }: { status: MessageStatus }) {
  const { path, label } = STATUS_ICONS[status];
  if (path === '') return null;
  return (
    <span className="bubble-ticks" data-status={status} title={label}>
      <svg viewBox="0 0 16 16" width={16} height={16} role="img" aria-label={label}>
        <path d={path} />
      </svg>
    </span>
  );
}
