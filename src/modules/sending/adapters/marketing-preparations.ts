import type { Clock } from '../../../kernel/clock';
import { RecentCache } from './recent-cache';

/** State of a template at the marketing endpoint, in monotonic milliseconds. */
interface Preparation {
  acceptedAt: number | null;
  /** The first refusal since the last acceptance. */
  refusedAt: number | null;
}

/** The platform takes up to 10 minutes; longer refusals have another reason. */
const LONGEST_PREPARATION_MS = 15 * 60_000;
/** A template unused for this long is prepared again. */
const PREPARED_FOR_MS = 7 * 86_400_000;
const TEMPLATES_KEPT = 1000;

/**
 * Tracks which templates the marketing endpoint may still be preparing: those without an accepted message in 7 days,
 * for 15 minutes after the first refusal. Any string can identify a template.
 */
export class MarketingPreparations {
  private readonly known = new RecentCache<Preparation>(TEMPLATES_KEPT);

  constructor(private readonly clock: Clock) {}

  /** Records that the endpoint accepted a message with the template. */
  accepted(template: string): void {
    this.known.set(template, { acceptedAt: this.clock.monotonic(), refusedAt: null });
  }

  /** Whether a refusal now may mean that the template is not prepared yet. */
  mayBePreparing(template: string): boolean {
    const now = this.clock.monotonic();
    const isRecent = (at: number | null): at is number => at !== null && now - at < PREPARED_FOR_MS;
    const { acceptedAt = null, refusedAt = null } = this.known.get(template) ?? {};
    if (isRecent(acceptedAt)) return false;
    if (isRecent(refusedAt)) return now - refusedAt < LONGEST_PREPARATION_MS;
    this.known.set(template, { acceptedAt: null, refusedAt: now });
    return true;
  }
}
