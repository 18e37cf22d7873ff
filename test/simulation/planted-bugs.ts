import { AsyncLocalStorage } from 'node:async_hooks';
import { MessageSender } from '../../src/modules/sending/domain/message-sender.port';
import type {
  ClaimedRecipient,
  CounterChange,
  FirstClaim,
  LaneJob,
  LockedJob,
} from '../../src/modules/delivery/domain/lane-job-store.port';
import type { Epoch } from '../../src/modules/delivery/domain/lane-leases.port';
import type { ReportedMessage } from '../../src/modules/messages/domain/status-update';
import { claimed, lockedJob } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { DatabaseError, type StoreTerms } from './history-database';
import { CLOCK_BUGS } from './planted-clock-bugs';
import { DELIVERY_BUGS } from './planted-delivery-bugs';
import { EVENT_BUGS } from './planted-event-bugs';
import { LOSS_BUGS } from './planted-loss-bugs';
import { PACE_BUGS } from './planted-pace-bugs';
import { PEOPLE_BUGS } from './planted-people-bugs';
import { PERSON_BUGS } from './planted-person-bugs';
import { REQUEST_BUGS } from './planted-request-bugs';
import { RESTORE_BUGS } from './planted-restore-bugs';
import { TIER_BUGS } from './planted-tier-bugs';
import { TIMING_BUGS } from './planted-timing-bugs';
import { WINDOW_BUGS } from './planted-window-bugs';
import type { ProcessDatabase } from './process-database';
import { SimulatedJobStatusStore } from './simulated-job-status-store';
import { SimulatedLaneJobStore } from './simulated-lane-job-store';
import { SimulatedLaneLeases } from './simulated-lane-leases';
import { SimulatedStatusStore } from './simulated-message-store';
import { SimulatedSingleSendStore } from './simulated-single-send-store';
import type { PlantedBug, Sabotage } from './world';

type Store<T> = new (database: ProcessDatabase, terms: StoreTerms) => T;

const withJobs =
  (Jobs: Store<SimulatedLaneJobStore>): Sabotage =>
  (_parts, { link, terms }) => ({ laneJobStore: new Jobs(link as ProcessDatabase, terms) });

/** Writes the claim after the request was sent. */
class CursorAfterSend extends SimulatedLaneJobStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    const write = (): Promise<unknown> => super.moveCursor(job, epoch, move, expired);
    this.server.scheduler.after(60, () => this.outside(() => void write().catch(() => undefined)));
    return Promise.resolve(true);
  }
}

/** Lets every former owner of the lane claim. */
class ClaimWithoutEpoch extends SimulatedLaneJobStore {
  protected override mayClaim(job: JobRow, _epoch: Epoch, expired: boolean): boolean {
    return super.mayClaim(job, String(job.laneEpoch), expired);
  }
}

/** Compares the epoch with the lane's row, which the claim does not lock, instead of the job's. */
class EpochOfAnotherTable extends SimulatedLaneJobStore {
  /** A statement sees the other table as of its start, however long it waits for its own row. */
  private readonly laneBefore = new Map<string, Epoch>();

  protected override mayClaim(job: JobRow, epoch: Epoch, expired: boolean): boolean {
    const before = this.laneBefore.get(job.id) ?? String(this.server.lanes.row(job.senderId).committed!.epoch);
    this.laneBefore.set(job.id, before);
    return super.mayClaim(job, String(job.laneEpoch), expired) && before === epoch;
  }

  protected override updateJob(...update: Parameters<SimulatedLaneJobStore['updateJob']>): Promise<JobRow[]> {
    this.laneBefore.delete(update[1]);
    return super.updateJob(...update);
  }

  protected override lockRunning(jobId: string, epoch: Epoch): Promise<boolean> {
    this.laneBefore.delete(jobId);
    return super.lockRunning(jobId, epoch);
  }
}

/** The takeover skips paused jobs. */
class PausedJobsNotAdopted extends SimulatedLaneJobStore {
  protected override isAdopted(job: JobRow, epoch: number): boolean {
    return job.status !== 'Paused' && super.isAdopted(job, epoch);
  }
}

/** Keeps the epoch of a job at rest, so that a former owner may claim when it resumes. */
class RestWithAnEpoch extends SimulatedLaneJobStore {
  protected override rest(): Partial<JobRow> {
    return { atRest: true };
  }
}

/** Takes over in one statement, which sees the cursors as of before it waited for open claims. */
class TakeoverInOneStatement extends SimulatedLaneJobStore {
  private before: JobRow[] = [];

  override adopt(senderId: string, epoch: Epoch): Promise<void> {
    this.before = [...this.server.jobs.committed()].filter((job) => job.senderId === senderId);
    return super.adopt(senderId, epoch);
  }

  protected override async withFirstAttempts(
    senderId: string,
    epoch: Epoch,
  ): Promise<{ id: string; settledBelow: number; cursor: number }[]> {
    const jobs = await super.withFirstAttempts(senderId, epoch);
    return jobs.map((job) => this.before.find(({ id }) => id === job.id) ?? job);
  }
}

/** The takeover marks every row without an outcome as unknown, including waiting retries. */
class WaitingRetriesStranded extends SimulatedLaneJobStore {
  protected override isFirstInFlight(row: RecipientRow): boolean {
    return row.outcome === null;
  }
}

/** The takeover counts the positions within its bounds instead of the changed rows. */
class PositionsCounted extends SimulatedLaneJobStore {
  protected override async strandFirstAttempts(jobId: string, from: number, below: number): Promise<void> {
    await super.strandFirstAttempts(jobId, from, below);
    await this.updateJob(
      'COUNT_STRANDED',
      jobId,
      () => true,
      (job) => ({ unknown: Math.max(below - from, job.unknown) }),
    );
  }
}

/** Sends later attempts first, and writes them only with their answers. */
class LaterAttemptsWithoutIntent extends SimulatedLaneJobStore {
  protected override beginDue(jobId: string, _epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.statement('CLAIM_DUE', () =>
      this.dueOf(jobId, limit).map((row) => claimed({ ...row, attempt: row.attempt + 1 })),
    );
  }
}

/** Updates counters in a separate transaction. */
class CountersOutsideTransaction extends SimulatedLaneJobStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override addToCounters(jobId: string, change: CounterChange): Promise<void> {
    void this.outside(() => super.addToCounters(jobId, change)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** Raises settled_below to the cursor with every claim. */
class SettledUpToTheCursor extends SimulatedLaneJobStore {
  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    return super.moveCursor(job, epoch, { ...move, settledBelow: move.cursor }, expired);
  }
}

/** Moves the cursor past recipients that the messaging tier holds. */
class HeldRecipientsPassed extends SimulatedLaneJobStore {
  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    return super.moveCursor(job, epoch, move.heldUntil ? { ...move, cursor: move.cursor + 1 } : move, expired);
  }
}

/** Records answers based on an unlocked read. */
class AnswersWithoutLock extends SimulatedLaneJobStore {
  protected override lockJobs(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    return this.database.statement('READ_JOBS', () => ({
      now: this.server.now(),
      jobs: [...new Set(ids)].flatMap((id) => this.server.jobs.row(id).committed ?? []).map(lockedJob),
    }));
  }
}

/** Never looks for lanes without an owner. */
class NoLaneSweep extends SimulatedLaneLeases {
  override sendersToRun(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** A stopping process releases its lanes while its requests are in flight. */
class LanesReleasedInFlight extends SimulatedLaneLeases {
  override async leave(): Promise<void> {
    await super.leave();
    await this.database.statement('GIVE_ALL_BACK', (transaction) =>
      this.server.update(
        transaction,
        this.server.lanes.rows.values(),
        ({ owner }) => owner === this.terms.owner,
        () => ({ owner: null, leaseUntil: -Infinity }),
      ),
    );
  }
}

/** Never looks for single sends without an answer. */
class NoSingleSendSweep extends SimulatedSingleSendStore {
  override lockOverdue(): ReturnType<SimulatedSingleSendStore['lockOverdue']> {
    return Promise.resolve({ now: new Date(0), sends: [] });
  }
}

/** Applies a report to the initial status of a message. */
class StatusesInAnyOrder extends SimulatedStatusStore {
  override async lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.lock(ids)).map((message) => ({ ...message, status: 'Sent' }));
  }

  override async byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.byIds(ids)).map((message) => ({ ...message, status: 'Sent' }));
  }
}

/** Treats a recorded message as accepted, so that its statuses prove nothing. */
class RecordedTreatedAsAccepted extends SimulatedStatusStore {
  override async byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.byIds(ids)).map((message) => ({ ...message, sentAt: message.sentAt ?? new Date(0) }));
  }
}

/** Updates status counters in a separate transaction. */
class StatusCountersOutsideTransaction extends SimulatedJobStatusStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  override addDeltas(...of: Parameters<SimulatedJobStatusStore['addDeltas']>): Promise<void> {
    void this.outside(() => super.addDeltas(...of)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** Counts a status based on an unlocked read of the message. */
class StatusesReadWithoutLock extends SimulatedStatusStore {
  override lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.byIds(ids);
  }
}

/** Sends unanswered messages again. */
const blindResend: Sabotage = ({ messageSender }) => ({
  messageSender: new (class extends MessageSender {
    async send(...args: Parameters<MessageSender['send']>): ReturnType<MessageSender['send']> {
      const answer = await messageSender.send(...args);
      return answer.kind === 'unknown' ? { kind: 'not_sent', reason: answer.reason } : answer;
    }
  })(),
});

/** Drops an answer if the database fails. */
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

/** Lets a process send without a renewed lease. */
const noLeaseGuard: Sabotage = ({ limits }) => ({ limits: { ...limits, terms: 'exclusive' } });

/** All planted bugs; the histories must find each of them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the cursor is moved after the send',
    sabotage: withJobs(CursorAfterSend),
    breaks: ['claims are committed before sending'],
  },
  {
    bug: 'the claim ignores the epoch',
    sabotage: withJobs(ClaimWithoutEpoch),
    breaks: ['stale epochs claim nothing'],
  },
  {
    bug: 'the claim reads the epoch from another table',
    sabotage: withJobs(EpochOfAnotherTable),
    breaks: ['stale epochs claim nothing'],
  },
  {
    bug: 'the takeover does not stamp paused jobs',
    sabotage: withJobs(PausedJobsNotAdopted),
    breaks: ['every job ends once', 'counters need no repair', 'rows below settled_below are answered'],
  },
  {
    bug: 'a job at rest keeps its epoch',
    sabotage: withJobs(RestWithAnEpoch),
    breaks: ['jobs at rest need no lane'],
  },
  {
    bug: 'the takeover is one statement',
    sabotage: withJobs(TakeoverInOneStatement),
    breaks: ['every job ends once', 'rows below settled_below are answered', 'counters need no repair'],
  },
  {
    bug: 'the takeover marks waiting retries as unknown',
    sabotage: withJobs(WaitingRetriesStranded),
    breaks: ['rows with an outcome wait for nothing'],
  },
  {
    bug: 'the takeover counts rows that it did not change',
    sabotage: withJobs(PositionsCounted),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'a second attempt is sent without a committed claim',
    sabotage: withJobs(LaterAttemptsWithoutIntent),
    breaks: ['claims are committed before sending'],
  },
  { bug: 'an unknown outcome is sent again', sabotage: blindResend, breaks: ['no message is sent twice'] },
  {
    bug: 'counters are written outside the transaction',
    sabotage: withJobs(CountersOutsideTransaction),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'settled_below is raised to the cursor by a claim',
    sabotage: withJobs(SettledUpToTheCursor),
    breaks: ['rows below settled_below are answered'],
  },
  {
    bug: 'answers are recorded without locking their job',
    sabotage: withJobs(AnswersWithoutLock),
    breaks: ['counters equal rows', 'outcomes are final', 'progress only grows'],
  },
  {
    bug: 'an answer is dropped on a database error',
    sabotage: droppedAnswers,
    breaks: ['proofs are recorded', 'every job ends once', 'rows below settled_below are answered'],
  },
  {
    bug: 'lanes without an owner are not swept',
    sabotage: (_parts, { link, terms }) => ({ laneLeases: new NoLaneSweep(link as ProcessDatabase, terms) }),
    breaks: ['every job ends once'],
  },
  {
    bug: 'a stopping process releases its lanes before its requests are answered',
    sabotage: (_parts, { link, terms }) => ({ laneLeases: new LanesReleasedInFlight(link as ProcessDatabase, terms) }),
    breaks: ['stale epochs claim nothing', 'stale epochs send nothing', 'a move leaves nothing unknown'],
  },
  {
    bug: 'the cursor passes recipients held by the messaging tier',
    sabotage: withJobs(HeldRecipientsPassed),
    breaks: ['nothing is sent beyond the messaging tier'],
  },
  {
    bug: 'overdue single sends are not swept',
    sabotage: (_parts, { link }) => ({ singleSendStore: new NoSingleSendSweep(link as ProcessDatabase) }),
    breaks: ['no row stays open', 'grace times end'],
  },
  {
    bug: 'a webhook lowers the status of a message',
    sabotage: (_parts, { link }) => ({ statusStore: new StatusesInAnyOrder(link as ProcessDatabase) }),
    breaks: ['statuses never regress', 'the highest status is kept', 'status counters equal messages'],
  },
  {
    bug: 'statuses of recorded messages prove nothing',
    sabotage: (_parts, { link }) => ({ statusStore: new RecordedTreatedAsAccepted(link as ProcessDatabase) }),
    breaks: ['proofs are recorded', 'the highest status is kept'],
  },
  {
    bug: 'status counters are written outside the transaction',
    sabotage: (_parts, { link, terms }) => ({
      jobStatusStore: new StatusCountersOutsideTransaction(link as ProcessDatabase, terms.dayMs),
    }),
    breaks: ['status counters equal messages'],
  },
  {
    bug: 'statuses are counted without locking their message',
    sabotage: (_parts, { link }) => ({ statusStore: new StatusesReadWithoutLock(link as ProcessDatabase) }),
    breaks: ['status counters equal messages', 'statuses never regress'],
  },
  {
    bug: 'requests are sent although the lease may have expired',
    sabotage: noLeaseGuard,
    breaks: ['stale epochs send nothing', 'no message is sent twice'],
  },
  ...CLOCK_BUGS,
  ...DELIVERY_BUGS,
  ...EVENT_BUGS,
  ...LOSS_BUGS,
  ...PACE_BUGS,
  ...PEOPLE_BUGS,
  ...PERSON_BUGS,
  ...REQUEST_BUGS,
  ...RESTORE_BUGS,
  ...TIER_BUGS,
  ...TIMING_BUGS,
  ...WINDOW_BUGS,
];
