import type { RetryScope } from '../../src/modules/bulk-jobs/domain/retry-selection';
import { isEnded, isVisible } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import type { HistoryDatabase } from './history-database';
import { PromiseBroken } from './promise-broken';

/**
 * Recipients that a retry must include, with their number or user id, and those that it must not; for all others the
 * outcome was still open.
 */
interface Selection {
  wanted: ReadonlyMap<string, string>;
  unwanted: ReadonlySet<string>;
}

/** A retry includes exactly the recipients of its scope, and warns if another retry overlaps. */
export class RetryChecks {
  private readonly selections = new Map<string, Selection>();
  /** Retries that repeat another one. */
  private readonly repeated = new Set<string>();

  constructor(private readonly server: HistoryDatabase) {}

  /** The original job when a retry starts to be stored. */
  begun({ id, retryOf, retryScope }: JobRow): void {
    const [wanted, unwanted] = [new Map<string, string>(), new Set<string>()];
    const old = this.server.jobs.row(retryOf!).committed!;
    for (const { committed } of this.server.recipientsOf(old.id)) {
      const isWanted = isIn(old, committed!, retryScope!);
      if (isWanted === true) wanted.set(keyOf(committed!), committed!.phone);
      if (isWanted === false) unwanted.add(keyOf(committed!));
    }
    this.selections.set(id, { wanted, unwanted });
  }

  published(job: JobRow): void {
    const { wanted, unwanted } = this.selections.get(job.id)!;
    const phones = this.phonesOf(job.id);
    const others = [...this.server.jobs.committed()].filter(
      ({ id, retryOf }) => id !== job.id && retryOf === job.retryOf,
    );
    if (others.some((other) => isVisible(other) && isRepeatedBy(other, job))) this.repeated.add(job.id);
    const sent = new Set(
      this.server
        .recipientsOf(job.retryOf!)
        .flatMap(({ committed }) => (committed!.outcome === 'Sent' ? keyOf(committed!) : [])),
    );
    const erased = new Set([...this.server.erasures.committed()].flatMap(({ phone, userId }) => [phone, userId]));
    const isOnce = new Set(phones).size === phones.length;
    const surplus = phones.find((phone) => unwanted.has(phone));
    const missing = [...wanted].find(
      ([key, phone]) => !phones.includes(key) && !sent.has(key) && !erased.has(key) && !erased.has(phone),
    )?.[0];
    if (isOnce && surplus === undefined && missing === undefined) return this.sameContent(job);
    throw new PromiseBroken(
      'a retry has exactly the recipients of its scope',
      `${job.id}: ${surplus} is too many, ${missing} is missing`,
    );
  }

  /** A retry was answered. */
  answered(jobId: string, warnings: readonly string[]): void {
    if (!this.repeated.has(jobId) || warnings.some((warning) => warning.startsWith('already_retried'))) return;
    throw new PromiseBroken('a repeated retry returns a warning', jobId);
  }

  /** Each request creates one job. */
  end(requests: number): void {
    const retries = [...this.server.jobs.committed()].filter((job) => job.retryOf !== null && isVisible(job));
    if (retries.length > requests) {
      throw new PromiseBroken('a repeated request creates one job', `${retries.length} of ${requests} requests`);
    }
  }

  /** Each recipient has the content of the original job. */
  private sameContent({ id, headerMedia, reference, retryOf }: JobRow): void {
    const old = this.server.jobs.row(retryOf!).committed!;
    const before = new Map(this.server.recipientsOf(old.id).map(({ committed }) => [keyOf(committed!), committed!]));
    for (const { committed } of this.server.recipientsOf(id)) {
      const former = before.get(keyOf(committed!));
      // Recipients erased meanwhile have no content.
      if (!former || former.phone === '' || committed!.phone === '') continue;
      const [now, then] = [
        contentOf(committed!, headerMedia, reference),
        contentOf(former, old.headerMedia, old.reference),
      ];
      if (now !== then)
        throw new PromiseBroken('a retry keeps the content of each recipient', `${committed!.messageId} ${now}`);
    }
  }

  /** Excludes recipients that were erased while it was stored. */
  private phonesOf(jobId: string): string[] {
    return this.server
      .recipientsOf(jobId)
      .flatMap(({ committed }) => (committed!.phone === '' ? [] : keyOf(committed!)));
  }
}

/** A stored user id is kept. */
function keyOf({ phone, userId }: RecipientRow): string {
  return userId ?? phone;
}

function contentOf({ extras, parameters, reference }: RecipientRow, ...ofJob: unknown[]): string {
  return JSON.stringify([parameters, extras, reference, ...ofJob]);
}

function isRepeatedBy(other: JobRow, job: JobRow): boolean {
  const isOverlapping = other.retryScope === job.retryScope || [other.retryScope, job.retryScope].includes('all');
  return isOverlapping && (other.completedAt === null || other.successfullySent > 0 || other.unknown > 0);
}

/** Whether a recipient of an ended job is in a scope; null: undecided. */
function isIn(old: JobRow, row: RecipientRow, scope: RetryScope): boolean | null {
  const { attempt, outcome, phone, position, problem, retryAt } = row;
  const isUnsettled = outcome === 'Unknown' && problem === null;
  const isNeverTried = isEnded(old) && (position >= old.cursor || retryAt !== null);
  if (isUnsettled || (outcome === null && !isNeverTried)) return null;
  if (phone === '' || outcome === 'Sent' || outcome === 'Skipped') return false;
  if (outcome === 'Failed' && attempt === 0 && problem !== 'expired') return false;
  return scope === 'all' || (scope === 'unknown') === (outcome === 'Unknown');
}
