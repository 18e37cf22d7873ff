import { AsyncLocalStorage } from 'node:async_hooks';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import type {
  ClaimedRecipient,
  CounterChange,
  Epoch,
  FirstAttempts,
  LaneJob,
} from '../../src/modules/delivery/domain/lane-store.port';
import type { ReportedMessage } from '../../src/modules/chat-history/domain/status-update';
import type { JobRow, RecipientRow } from '../fakes/memory-database';
import type { Transaction } from './database-server';
import { DatabaseError, type StoreTerms } from './history-database';
import { claimed, isRunning } from './lane-rows';
import type { ProcessDatabase } from './process-database';
import { SimulatedLaneStore } from './simulated-lane-store';
import { SimulatedStatusStore } from './simulated-message-store';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import type { Sabotage } from './world';

type LaneStoreClass = new (database: ProcessDatabase, terms: StoreTerms) => SimulatedLaneStore;

const withStore =
  (Store: LaneStoreClass): Sabotage =>
  (_parts, { link, terms }) => ({ laneStore: new Store(link as ProcessDatabase, terms) });

/** The claim is written once the request is out. */
class CursorAfterTheSend extends SimulatedLaneStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  override async claimFirst(job: LaneJob, epoch: Epoch, limit: number, below: number): Promise<FirstAttempts | null> {
    const rows = this.rowsOf(job.id).slice(job.cursor - 1);
    const open = rows.filter(({ outcome }) => outcome === null).slice(0, limit);
    await this.database.statement('PEEK', () => undefined);
    const write = (): Promise<unknown> => super.claimFirst(job, epoch, limit, below);
    this.server.scheduler.after(60, () => this.outside(() => void write().catch(() => undefined)));
    const cursor = open.length < limit ? job.totalRecipients + 1 : open.at(-1)!.position + 1;
    return { recipients: open.map((row) => claimed(row, 1)), skipped: 0, cursor, heldUntil: null };
  }
}

/** Whoever once had the lane may claim. */
class NoEpochInTheClaim extends SimulatedLaneStore {
  protected override mayClaim(job: JobRow): boolean {
    return isRunning(job);
  }
}

/** The epoch is compared with the lane's row instead of the job's, which nobody locks. */
class EpochOfAnotherTable extends SimulatedLaneStore {
  /** A statement sees the other table as it was when the statement began, however long it waits for its own row. */
  private readonly laneBefore = new Map<string, Epoch>();

  protected override mayClaim(job: JobRow, epoch: Epoch): boolean {
    const before = this.laneBefore.get(job.id) ?? String(this.server.lanes.row(job.senderId).committed!.epoch);
    this.laneBefore.set(job.id, before);
    return isRunning(job) && before === epoch;
  }

  protected override updateJob(...update: Parameters<SimulatedLaneStore['updateJob']>): Promise<JobRow[]> {
    this.laneBefore.delete(update[1]);
    return super.updateJob(...update);
  }

  override claimRetries(...claim: Parameters<SimulatedLaneStore['claimRetries']>): Promise<ClaimedRecipient[]> {
    this.laneBefore.delete(claim[0]);
    return super.claimRetries(...claim);
  }
}

/** The takeover leaves paused jobs alone. */
class PausedJobsNotStamped extends SimulatedLaneStore {
  protected override isStamped(job: JobRow, epoch: number): boolean {
    return job.status !== 'Paused' && super.isStamped(job, epoch);
  }
}

/** The takeover is one statement, which sees the cursors as they were before it waited for open claims. */
class TakeoverInOneStatement extends SimulatedLaneStore {
  private before: JobRow[] = [];

  protected override stamp(senderId: string, epoch: number): Promise<JobRow[]> {
    this.before = [...this.server.jobs.committed()].filter((job) => job.senderId === senderId);
    return super.stamp(senderId, epoch);
  }

  protected override jobsOf(senderId: string, transaction: Transaction): JobRow[] {
    const now = super.jobsOf(senderId, transaction);
    return now.map((job) => {
      const { cursor, settledBelow } = this.before.find(({ id }) => id === job.id) ?? job;
      return { ...job, cursor, settledBelow };
    });
  }
}

/** The takeover takes everything without an outcome for lost, also what waits for its retry. */
class WaitingRetriesStranded extends SimulatedLaneStore {
  protected override isFirstInFlight(job: JobRow, row: RecipientRow): boolean {
    return row.outcome === null && row.position < job.cursor;
  }
}

/** The takeover counts the positions between its bounds instead of the rows that it changed. */
class CountsWithoutLooking extends SimulatedLaneStore {
  protected override async strandRows(...strand: Parameters<SimulatedLaneStore['strandRows']>): Promise<void> {
    const [transaction, jobs] = strand;
    await super.strandRows(...strand);
    for (const { id, cursor, settledBelow } of jobs) {
      const unknown = cursor - settledBelow;
      if (unknown === 0) continue;
      const row = this.server.jobs.row(id);
      await this.server.update(
        transaction,
        [row],
        () => true,
        (job) => ({ unknown: Math.max(unknown, job.unknown) }),
      );
    }
  }
}

/** Later attempts leave, and are written only with their answers. */
class LaterAttemptsWithoutIntent extends SimulatedLaneStore {
  override claimRetries(jobId: string, _epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.statement('CLAIM_RETRIES', () => {
      const isDue = (row: RecipientRow): boolean => row.retryAt !== null && row.retryAt.getTime() <= this.now();
      const due = this.rowsOf(jobId).filter(isDue).slice(0, limit);
      return due.map((row) => claimed(row, row.attempt + 1));
    });
  }
}

/** Counters are added to in a transaction of their own. */
class CountersBeside extends SimulatedLaneStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  override addToCounters(jobId: string, change: CounterChange): Promise<void> {
    void this.outside(() => super.addToCounters(jobId, change)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** What is settled is taken to reach up to the cursor. */
class SettledUpToTheCursor extends SimulatedLaneStore {
  override claimFirst(job: LaneJob, epoch: Epoch, limit: number): Promise<FirstAttempts | null> {
    return super.claimFirst(job, epoch, limit, job.totalRecipients + 1);
  }
}

/** Answers are recorded on what was read without a lock. */
class RecordsWithoutLock extends SimulatedLaneStore {
  protected override lockJobs(ids: readonly string[]): Promise<{ now: Date; jobs: JobRow[] }> {
    return this.database.statement('READ_JOBS', () => ({
      now: this.server.now(),
      jobs: ids.flatMap((id) => this.server.jobs.row(id).committed ?? []),
    }));
  }
}

/** Nobody looks for lanes without an owner. */
class NoSweep extends SimulatedLaneStore {
  override sendersToRun(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** Nobody looks for single sends whose answer never came. */
class NoSweepOfSingles extends SimulatedSingleSendStore {
  override lockOverdue(): ReturnType<SimulatedSingleSendStore['lockOverdue']> {
    return Promise.resolve({ now: new Date(0), sends: [] });
  }
}

/** A report is applied to what a message was at first. */
class StatusesInAnyOrder extends SimulatedStatusStore {
  override async lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.lock(ids)).map((message) => ({ ...message, status: 'Sent' }));
  }

  override async byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.byIds(ids)).map((message) => ({ ...message, status: 'Sent' }));
  }
}

/** What was never answered is sent again. */
const blindResend: Sabotage = ({ messageSender }) => ({
  messageSender: new (class extends MessageSender {
    async send(...args: Parameters<MessageSender['send']>): ReturnType<MessageSender['send']> {
      const answer = await messageSender.send(...args);
      return answer.kind === 'unknown' ? { kind: 'not_sent', reason: answer.reason } : answer;
    }
  })(),
});

/** An answer that the database does not take is forgotten. */
const droppedAnswers: Sabotage = ({ unitOfWork }) => ({
  recorderUnitOfWork: {
    run: async <T>(work: () => Promise<T>): Promise<T> =>
      unitOfWork.run(work).catch((error: unknown) => {
        if (error instanceof DatabaseError) return [] as T;
        throw error;
      }),
    afterCommit: (action) => unitOfWork.afterCommit(action),
  },
});

/** Nothing keeps a process from sending that has not renewed its lease. */
const noLeaseGuard: Sabotage = ({ limits }) => ({ limits: { ...limits, terms: 'exclusive' } });

/** Each bug with the promises that it breaks. */
export const PLANTED_BUGS: readonly { bug: string; sabotage: Sabotage; breaks: readonly string[] }[] = [
  { bug: 'the cursor is moved after the send', sabotage: withStore(CursorAfterTheSend), breaks: ['intent first'] },
  {
    bug: 'the claim does not look at the epoch',
    sabotage: withStore(NoEpochInTheClaim),
    breaks: ['stale epochs claim nothing'],
  },
  {
    bug: 'the claim reads the epoch from another table',
    sabotage: withStore(EpochOfAnotherTable),
    breaks: ['stale epochs claim nothing'],
  },
  {
    bug: 'the takeover does not stamp paused jobs',
    sabotage: withStore(PausedJobsNotStamped),
    breaks: ['every job ends once', 'nothing needs repair', 'what is settled is answered'],
  },
  {
    bug: 'the takeover is one statement',
    sabotage: withStore(TakeoverInOneStatement),
    breaks: ['every job ends once', 'what is settled is answered', 'nothing needs repair'],
  },
  {
    bug: 'the takeover marks waiting retries as unknown',
    sabotage: withStore(WaitingRetriesStranded),
    breaks: ['what has an outcome waits for nothing'],
  },
  {
    bug: 'the takeover counts rows that it did not change',
    sabotage: withStore(CountsWithoutLooking),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'a second attempt leaves without a committed intent',
    sabotage: withStore(LaterAttemptsWithoutIntent),
    breaks: ['intent first'],
  },
  { bug: 'an unknown outcome is sent again', sabotage: blindResend, breaks: ['nobody twice'] },
  {
    bug: 'counters are written beside the transaction',
    sabotage: withStore(CountersBeside),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'settled_below is raised to the cursor by a claim',
    sabotage: withStore(SettledUpToTheCursor),
    breaks: ['what is settled is answered'],
  },
  {
    bug: 'answers are recorded without the lock of their job',
    sabotage: withStore(RecordsWithoutLock),
    breaks: ['counters equal rows', 'outcomes are final', 'progress only grows'],
  },
  {
    bug: 'an answer is dropped at an error of the database',
    sabotage: droppedAnswers,
    breaks: ['a proof is recorded', 'every job ends once', 'what is settled is answered'],
  },
  { bug: 'there is no sweep of lanes', sabotage: withStore(NoSweep), breaks: ['every job ends once'] },
  {
    bug: 'there is no sweep of single sends',
    sabotage: (_parts, { link }) => ({ singleSendStore: new NoSweepOfSingles(link as ProcessDatabase) }),
    breaks: ['nothing is left open', 'no grace lasts for ever'],
  },
  {
    bug: 'a webhook lowers the status of a message',
    sabotage: (_parts, { link }) => ({ statusStore: new StatusesInAnyOrder(link as ProcessDatabase) }),
    breaks: ['a status never falls', 'the highest status stands'],
  },
  {
    bug: 'requests leave although the lease is not sure',
    sabotage: noLeaseGuard,
    breaks: ['stale epochs send nothing', 'nobody twice'],
  },
];
