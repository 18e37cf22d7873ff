import type { Clock } from '../../../kernel/clock';
import { RecentCache } from '../../templates/domain/recent-cache';

/** What is known of a template at the marketing endpoint, in monotonic milliseconds. */
interface Preparation {
  acceptedAt: number | null;
  /** The first refusal since it was last known to be prepared. */
  refusedAt: number | null;
}

/** The platform takes up to 10 minutes; what is refused for longer is refused for another reason. */
const LONGEST_PREPARATION_MS = 15 * 60_000;
/** A template that is not used for so long is prepared again. */
const PREPARED_FOR_MS = 7 * 86_400_000;
const TEMPLATES_KEPT = 1000;

/**
 * Which templates the marketing endpoint may still be preparing, as this process knows from its answers: those of which it has
 * accepted no message within 7 days, for 15 minutes from the first refusal on. Templates are named by any key.
 */
export class MarketingPreparations {
  private readonly known = new RecentCache<Preparation>(TEMPLATES_KEPT);

  constructor(private readonly clock: Clock) {}

  /** The endpoint has accepted a message with the template. */
  accepted(template: string): void {
    this.known.set(template, { acceptedAt: this.clock.monotonic(), refusedAt: null });
  }

  /** Whether a refusal that came now may mean that the template is not prepared yet. */
  mayBeUnderWay(template: string): boolean {
    const now = this.clock.monotonic();
    const isRecent = (at: number | null): at is number => at !== null && now - at < PREPARED_FOR_MS;
    const { acceptedAt = null, refusedAt = null } = this.known.get(template) ?? {};
    if (isRecent(acceptedAt)) return false;
    if (isRecent(refusedAt)) return now - refusedAt < LONGEST_PREPARATION_MS;
    this.known.set(template, { acceptedAt: null, refusedAt: now });
    return true;
  }
}
