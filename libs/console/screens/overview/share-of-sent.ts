import type { ActivityCountsDto } from '../../../client/generated/types.gen';
import { share } from '../../ui/format';

type Counts = Pick<ActivityCountsDto, 'sent' | 'undelivered' | 'delivered' | 'read'>;

/** As many of the sent messages as can be delivered or read: reports of messages from before a period count in it, too. */
export function ofSent({ sent, undelivered, ...parts }: Counts, part: 'delivered' | 'read'): number {
  return Math.max(0, Math.min(parts[part], sent - undelivered));
}

/** The same in percent; not everything where messages were not delivered, and a dash if none were sent. */
export function shareOfSent(counts: Counts, part: 'delivered' | 'read'): string {
  return counts.sent === 0 ? '–' : share(ofSent(counts, part), counts.sent);
}
