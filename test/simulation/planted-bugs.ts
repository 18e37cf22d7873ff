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
import { DELIVERY_BUGS } from './planted-delivery-bugs';
import { EVENT_BUGS } from './planted-event-bugs';
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

/** The claim is written once the request is out. */
class CursorAfterTheSend extends SimulatedLaneJobStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    const write = (): Promise<unknown> => super.moveCursor(job, epoch, move, expired);
    this.server.scheduler.after(60, () => this.outside(() => void write().catch(() => undefined)));
    return Promise.resolve(true);
  }
}

/** Whoever once had the lane may claim. */
class NoEpochInTheClaim extends SimulatedLaneJobStore {
  protected override mayClaim(job: JobRow, _epoch: Epoch, expired: boolean): boolean {
    return super.mayClaim(job, String(job.laneEpoch), expired);
  }
}

/** The epoch is compared with the lane's row instead of the job's, which nobody locks. */
class EpochOfAnotherTable extends SimulatedLaneJobStore {
  /** A statement sees the other table as it was when the statement began, however long it waits for its own row. */
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

/** The takeover leaves paused jobs alone. */
class PausedJobsNotAdopted extends SimulatedLaneJobStore {
  protected override isAdopted(job: JobRow, epoch: number): boolean {
    return job.status !== 'Paused' && super.isAdopted(job, epoch);
  }
}

/** Whoever had the lane before a job came to rest may claim when it goes on. */
class RestWithAnEpoch extends SimulatedLaneJobStore {
  protected override rest(): Partial<JobRow> {
    return { atRest: true };
  }
}

/** The takeover is one statement, which sees the cursors as they were before it waited for open claims. */
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

/** The takeover takes everything without an outcome for lost, also what waits for its retry. */
class WaitingRetriesStranded extends SimulatedLaneJobStore {
  protected override isFirstInFlight(row: RecipientRow): boolean {
    return row.outcome === null;
  }
}

/** The takeover counts the positions between its bounds instead of the rows that it changed. */
class CountsWithoutLooking extends SimulatedLaneJobStore {
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

/** Later attempts leave, and are written only with their answers. */
class LaterAttemptsWithoutIntent extends SimulatedLaneJobStore {
  protected override beginDue(jobId: string, _epoch: Epoch, limit: number): Promise<ClaimedRecipient[]> {
    return this.database.statement('CLAIM_DUE', () =>
      this.dueOf(jobId, limit).map((row) => claimed({ ...row, attempt: row.attempt + 1 })),
    );
  }
}

/** Counters are added to in a transaction of their own. */
class CountersBeside extends SimulatedLaneJobStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  protected override addToCounters(jobId: string, change: CounterChange): Promise<void> {
    void this.outside(() => super.addToCounters(jobId, change)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** What is settled is taken to reach up to the cursor. */
class SettledUpToTheCursor extends SimulatedLaneJobStore {
  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    return super.moveCursor(job, epoch, { ...move, settledBelow: move.cursor }, expired);
  }
}

/** The cursor passes by whoever has no room in the messaging tier. */
class HeldPassedBy extends SimulatedLaneJobStore {
  protected override moveCursor(job: LaneJob, epoch: Epoch, move: FirstClaim, expired: boolean): Promise<boolean> {
    return super.moveCursor(job, epoch, move.heldUntil ? { ...move, cursor: move.cursor + 1 } : move, expired);
  }
}

/** Answers are recorded on what was read without a lock. */
class RecordsWithoutLock extends SimulatedLaneJobStore {
  protected override lockJobs(ids: readonly string[]): Promise<{ now: Date; jobs: LockedJob[] }> {
    return this.database.statement('READ_JOBS', () => ({
      now: this.server.now(),
      jobs: [...new Set(ids)].flatMap((id) => this.server.jobs.row(id).committed ?? []).map(lockedJob),
    }));
  }
}

/** Nobody looks for lanes without an owner. */
class NoSweep extends SimulatedLaneLeases {
  override sendersToRun(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** A process that ends gives its lanes back while its flights are still out. */
class LanesLeftInFlight extends SimulatedLaneLeases {
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

/** A message that is recorded is taken for accepted: its statuses prove nothing. */
class RecordedIsAccepted extends SimulatedStatusStore {
  override async byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return (await super.byIds(ids)).map((message) => ({ ...message, sentAt: message.sentAt ?? new Date(0) }));
  }
}

/** Counters of statuses are added to in a transaction of their own. */
class StatusCountersBeside extends SimulatedJobStatusStore {
  private readonly outside = AsyncLocalStorage.snapshot();

  override addDeltas(...of: Parameters<SimulatedJobStatusStore['addDeltas']>): Promise<void> {
    void this.outside(() => super.addDeltas(...of)).catch(() => undefined);
    return Promise.resolve();
  }
}

/** A status is counted by what the message was when it was read without a lock. */
class StatusesReadWithoutLock extends SimulatedStatusStore {
  override lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.byIds(ids);
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

/** Every bug, each of which the histories must find. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  { bug: 'the cursor is moved after the send', sabotage: withJobs(CursorAfterTheSend), breaks: ['intent first'] },
  {
    bug: 'the claim does not look at the epoch',
    sabotage: withJobs(NoEpochInTheClaim),
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
    breaks: ['every job ends once', 'nothing needs repair', 'what is settled is answered'],
  },
  {
    bug: 'a job at rest keeps its epoch',
    sabotage: withJobs(RestWithAnEpoch),
    breaks: ['what rests needs no lane'],
  },
  {
    bug: 'the takeover is one statement',
    sabotage: withJobs(TakeoverInOneStatement),
    breaks: ['every job ends once', 'what is settled is answered', 'nothing needs repair'],
  },
  {
    bug: 'the takeover marks waiting retries as unknown',
    sabotage: withJobs(WaitingRetriesStranded),
    breaks: ['what has an outcome waits for nothing'],
  },
  {
    bug: 'the takeover counts rows that it did not change',
    sabotage: withJobs(CountsWithoutLooking),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'a second attempt leaves without a committed intent',
    sabotage: withJobs(LaterAttemptsWithoutIntent),
    breaks: ['intent first'],
  },
  { bug: 'an unknown outcome is sent again', sabotage: blindResend, breaks: ['nobody twice'] },
  {
    bug: 'counters are written beside the transaction',
    sabotage: withJobs(CountersBeside),
    breaks: ['counters equal rows'],
  },
  {
    bug: 'settled_below is raised to the cursor by a claim',
    sabotage: withJobs(SettledUpToTheCursor),
    breaks: ['what is settled is answered'],
  },
  {
    bug: 'answers are recorded without the lock of their job',
    sabotage: withJobs(RecordsWithoutLock),
    breaks: ['counters equal rows', 'outcomes are final', 'progress only grows'],
  },
  {
    bug: 'an answer is dropped at an error of the database',
    sabotage: droppedAnswers,
    breaks: ['a proof is recorded', 'every job ends once', 'what is settled is answered'],
  },
  {
    bug: 'there is no sweep of lanes',
    sabotage: (_parts, { link, terms }) => ({ laneLeases: new NoSweep(link as ProcessDatabase, terms) }),
    breaks: ['every job ends once'],
  },
  {
    bug: 'a process that ends gives its lanes back before its flights have landed',
    sabotage: (_parts, { link, terms }) => ({ laneLeases: new LanesLeftInFlight(link as ProcessDatabase, terms) }),
    breaks: ['stale epochs claim nothing', 'stale epochs send nothing', 'a move leaves nothing unknown'],
  },
  {
    bug: 'the cursor passes by whoever has no room in the messaging tier',
    sabotage: withJobs(HeldPassedBy),
    breaks: ['nobody is written to without room in the messaging tier'],
  },
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
    bug: 'statuses of messages that are only recorded prove nothing',
    sabotage: (_parts, { link }) => ({ statusStore: new RecordedIsAccepted(link as ProcessDatabase) }),
    breaks: ['a proof is recorded', 'the highest status stands'],
  },
  {
    bug: 'counters of statuses are written beside the transaction',
    sabotage: (_parts, { link, terms }) => ({
      jobStatusStore: new StatusCountersBeside(link as ProcessDatabase, terms.dayMs),
    }),
    breaks: ['status counters equal messages'],
  },
  {
    bug: 'statuses are counted without the lock of their message',
    sabotage: (_parts, { link }) => ({ statusStore: new StatusesReadWithoutLock(link as ProcessDatabase) }),
    breaks: ['status counters equal messages', 'a status never falls'],
  },
  {
    bug: 'requests leave although the lease is not sure',
    sabotage: noLeaseGuard,
    breaks: ['stale epochs send nothing', 'nobody twice'],
  },
  ...DELIVERY_BUGS,
  ...EVENT_BUGS,
  ...PACE_BUGS,
  ...PEOPLE_BUGS,
  ...PERSON_BUGS,
  ...REQUEST_BUGS,
  ...RESTORE_BUGS,
  ...TIER_BUGS,
  ...TIMING_BUGS,
  ...WINDOW_BUGS,
];
