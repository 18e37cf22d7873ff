import { personKey } from '../../src/modules/groups/domain/opt-out';
import type { SendingService } from '../../src/modules/sending/domain/sending.service';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import { type ClientAnswer, EndChecks } from './end-checks';
import { EndpointClients } from './endpoint-clients';
import { isVisible } from '../fakes/lane-rows';
import type { HistoryDatabase } from './history-database';
import { recipientRow } from './history-rows';
import { jobRow } from './planned-rows';
import {
  LAST_START_MS,
  type Mishap,
  OWNER,
  type Plan,
  planOf,
  type PlannedJob,
  type PlannedRestore,
  SINGLE_VALID_SECONDS,
} from './plan';
import { JobWatchers } from './job-watchers';
import { Notices } from './notices';
import { type JobAction, People } from './people';
import { Persons } from './persons';
import { PromiseBroken } from './promise-broken';
import type { Scheduler } from './scheduler';
import { idOf, type Sabotage, World } from './world';

/** The outcome of a history. */
export interface HistoryReport {
  seed: number;
  broken: PromiseBroken | null;
  events: number;
  accepted: number;
  unknown: number;
  trace: string[];
}

type Crash = Extract<Mishap, { kind: 'kill' | 'freeze' | 'cut off' }>;

/** Recipients opt out this long after one another, by position. */
const OPT_OUT_EVERY_MS = 40;
const LONGEST_MS = 1_800_000;
const RECORDED_MS = 3000;
/** Time by which periodic counts are complete. */
const COUNTED_MS = 4000;

/** Replacements for the unmodified engine on the in-memory database. */
export interface HistoryOptions {
  sabotage?: Sabotage;
  traced?: boolean;
  planOf?: (seed: number) => Plan;
  databaseAt?: (scheduler: Scheduler) => HistoryDatabase;
}

/** Runs the history of a seed and checks every promise. */
export async function runHistory(seed: number, options: HistoryOptions = {}): Promise<HistoryReport> {
  const lines: string[] = [];
  const plan = (options.planOf ?? planOf)(seed);
  const trace = options.traced
    ? (line: () => string): void => void lines.push(`${world.scheduler.now.toFixed(1).padStart(9)} ${line()}`)
    : (): void => undefined;
  const world: World = new World(plan, trace, options.sabotage, options.databaseAt);
  const history = new History(world, plan);
  await history.run();
  const rows = [...world.server.recipients.values()].flat();
  return {
    ...{ seed, broken: world.broken, events: world.scheduler.count, trace: lines },
    accepted: world.platform.acceptances.size,
    unknown: rows.filter(({ committed }) => committed?.outcome === 'Unknown').length,
  };
}

class History {
  private readonly clients: ClientAnswer[] = [];
  private requests = 0;
  private adding = 0;
  private readonly endpointClients: EndpointClients;
  private readonly people: People | null;
  private readonly persons: Persons | null;
  private readonly watchers: JobWatchers;
  private readonly notices: Notices;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
  ) {
    this.endpointClients = new EndpointClients(world, plan);
    this.people = plan.people && new People(world, plan.people);
    this.persons = plan.persons && new Persons(world, plan.persons);
    this.watchers = new JobWatchers(world);
    this.notices = new Notices(world);
  }

  async run(): Promise<void> {
    const { plan, world } = this;
    const { scheduler } = world;
    this.notices.begin();
    for (let index = 0; index < plan.processes; index++)
      scheduler.after(world.dice.between(0, LAST_START_MS), () => world.start(index));
    for (const [index, job] of plan.jobs.entries()) scheduler.after(job.at, () => void this.addJob(index, job));
    for (const [index, single] of plan.singles.entries())
      scheduler.after(single.at, () => this.sendSingle(index, single.sender));
    this.endpointClients.begin();
    this.people?.begin();
    this.persons?.begin();
    for (const mishap of plan.mishaps) scheduler.after(mishap.at, () => this.begin(mishap));
    for (const { sender, at, messagesPerSecond } of plan.paces)
      scheduler.after(at, () => world.setPace(sender, messagesPerSecond));
    if (plan.restore) this.restore(plan.restore);
    scheduler.after(plan.healedAt, () => this.heal());
    await scheduler.run(() => world.broken !== null || this.isOver(), LONGEST_MS);
    this.notices.end();
    const end = scheduler.now + (world.server.isObserved ? COUNTED_MS : 0);
    await scheduler.run(() => world.broken !== null, end);
    if (world.broken) return;
    const checks = new EndChecks(plan, world.server, world.platform, world.witness, world.commits, this.clients);
    world.guard(() => checks.check());
    world.guard(() => world.deliveries?.end());
    world.guard(() => this.people?.end());
    world.guard(() => world.persons?.end());
    world.guard(() => this.watchers.end());
  }

  private isOver(): boolean {
    if (!this.world.healed || this.requests + this.adding > 0 || !this.notices.isOver()) return false;
    for (const job of this.world.server.jobs.committed()) if (job.completedAt === null && isVisible(job)) return false;
    for (const send of this.world.server.singles.committed()) {
      if (send.outcome === null || (send.outcome === 'Unknown' && send.problem === null)) return false;
    }
    if (!this.endpointClients.isOver() || this.people?.isOver() === false) return false;
    if (this.persons?.isOver() === false || !this.watchers.isOver()) return false;
    const { scheduler, witness, processes } = this.world;
    // A late answer may still correct a final outcome; allow time to record it.
    const isRecorded = scheduler.now - Math.max(witness.lastAnswerAt, this.plan.healedAt) > RECORDED_MS;
    return (
      isRecorded && [...witness.open].every(({ life }) => !life.alive) && processes.every((process) => process !== null)
    );
  }

  /** Adds a job as its import leaves it. */
  private async addJob(index: number, planned: PlannedJob): Promise<void> {
    const { dice, scheduler, senders, server } = this.world;
    const sender = senders[planned.sender]!;
    const id = idOf(3, index);
    const optedOut: string[] = [];
    const recipients = Array.from({ length: planned.size }, (_, at): RecipientRow => {
      const position = at + 1;
      const isInvalid = planned.invalid.includes(position);
      const phone = String(491_500_000_000 + index * 1000 + position);
      if (planned.optedOut.includes(position)) {
        // Some have opted out before the job; the others opt out while it runs.
        if (position % 2 === 0) optedOut.push(phone);
        else scheduler.after(position * OPT_OUT_EVERY_MS, () => void server.optOut(sender.accountId, phone));
      }
      if (dice.chance(0.15) && this.plan.fates.length > 0)
        this.world.platform.fates.set(phone, dice.pick(this.plan.fates));
      const invalid: Partial<RecipientRow> = isInvalid ? { outcome: 'Failed', problem: 'invalid_phone' } : {};
      const row = { ...recipientRow(id, position, idOf(4, index, position), phone), ...invalid };
      return { ...row, ...this.persons?.recipient(index, position) };
    });
    const isHeld = this.people?.isHeld(index) ?? false;
    const revisionId = this.world.revisionOf(sender.accountId);
    const { accountId } = sender;
    const created = { id, accountId, senderId: sender.id, revisionId, createdAt: server.now() };
    const job = { ...jobRow(planned, created, isHeld, scheduler), ...this.persons?.job(index) };
    this.adding++;
    const added = await this.store(index, job, recipients, optedOut);
    this.adding--;
    this.people?.manage(index, added);
    if (server.isObserved) this.watchers.watch(added);
    for (const { at, action } of planned.actions)
      scheduler.after(at - scheduler.now, () => void this.act(added, action));
  }

  /** Stores a job by a request, or directly; returns its id. */
  private async store(index: number, job: JobRow, recipients: RecipientRow[], optedOut: string[]): Promise<string> {
    const { server } = this.world;
    const created = await this.people?.create(index, { job, recipients, optedOut });
    if (created) return created;
    if (job.status === 'Paused') this.world.people!.onHold(job.id);
    await server.addJob(job, recipients, optedOut);
    this.world.windows?.watch(job);
    this.world.wake(job.senderId);
    return job.id;
  }

  /** A client pauses, resumes or cancels a job. */
  private async act(jobId: string, action: JobAction): Promise<void> {
    const { server } = this.world;
    const toSend = ['Scheduled', 'Queued', 'Processing'];
    const from = { pause: toSend, resume: ['Paused'], cancel: [...toSend, 'Paused'] };
    const job = server.jobs.row(jobId).committed;
    // Later jobs are missing in a restored database, and no process serves before the database is safe.
    if (!job || (server.backup && server.backup.identity.committed!.state !== 'known')) return;
    const mayNotResume = this.world.losses?.isPending || this.isCancelledAfterRestore(jobId);
    if (action === 'resume' && mayNotResume) return;
    if (this.people) return this.people.act(jobId, action);
    const { senderId, scheduledAt, startedAt } = job;
    const isEarly = scheduledAt !== null && scheduledAt > server.now();
    const resume = isEarly ? 'Scheduled' : startedAt === null ? 'Queued' : 'Processing';
    const to = { pause: 'Paused', cancel: 'Cancelled', resume };
    if (!(await server.setStatus(jobId, from[action], to[action]))) return;
    if (action === 'resume') this.world.witness.resumed.add(jobId);
    this.world.trace(() => `client: ${action} ${jobId}`);
    this.world.wake(senderId);
  }

  /** Sends to one person through a live process. */
  private sendSingle(index: number, senderIndex: number): void {
    const process = this.world.dice.pick([...this.world.living(), null]);
    if (!process) return;
    const sender = this.world.senders[senderIndex]!;
    const messageId = idOf(5, index);
    const phone = String(491_590_000_000 + index);
    const request: Parameters<SendingService['send']>[0] = {
      claim: { resourceId: messageId, seal: () => Promise.resolve() },
      ...{ accountId: sender.accountId, keyId: sender.accountId, isReply: false, recipient: { phone, userId: null } },
      ...{ templateName: 'promo', languageCode: 'de', values: ['Mira'], extras: null, reference: null },
      ...(this.people && { validForSeconds: SINGLE_VALID_SECONDS }),
      ...this.persons?.single(index, phone),
    };
    this.world.addressees.set(messageId, personKey(request.recipient)!);
    this.requests++;
    const { life } = process;
    const timeout = this.world.scheduler.after(120_000, () => this.requests--);
    const settle = (status: ClientAnswer['status'], errorCode: string | null): void => {
      if (timeout.action === null) return;
      timeout.action = null;
      this.requests--;
      this.world.trace(() => `client: ${messageId} ${status ?? errorCode}`);
      this.clients.push({ messageId, status, errorCode });
    };
    life.act(() => {
      process.sending.send(request).then(
        ({ status }) => settle(status, null),
        (error: unknown) => settle(null, String((error as { code?: string }).code ?? 'error')),
      );
    });
  }

  private begin(planned: Mishap): void {
    const { world } = this;
    if (world.healed) return;
    const mishap = 'process' in planned && planned.process === OWNER ? { ...planned, process: this.owner() } : planned;
    world.trace(() => `MISHAP ${JSON.stringify(mishap)}`);
    const later = (end: () => void): void => void world.scheduler.after(mishap.forMs, end);
    switch (mishap.kind) {
      case 'kill':
      case 'freeze':
      case 'cut off': {
        const life = world.processes[mishap.process]?.life;
        if (!life?.alive) return;
        if (mishap.step === null) return this.strike(mishap);
        return life.trapAt(mishap.step, () => {
          if (!world.healed) this.strike(mishap);
        });
      }
      case 'slow statement':
        return void world.processes[mishap.process]?.life.trapAt(mishap.step, () => {
          if (!world.healed) world.links[mishap.process]!.delayMs = mishap.forMs;
        });
      case 'clean stop':
        return void this.stop(mishap.process);
      case 'results refused': {
        const link = world.links[mishap.process];
        if (link) link.refuses = 'FINISH_EVENTS';
        return later(() => link && (link.refuses = null));
      }
      case 'database down':
        world.server.crash();
        return later(() => (world.server.away = false));
      case 'mood':
        world.platform.mood = mishap.mood;
        return later(() => (world.platform.mood = 'fine'));
      case 'emergency stop': {
        const set = (sendingPaused: boolean): void => {
          const sender = world.senders[mishap.sender]!;
          world.senders[mishap.sender] = { ...sender, sendingPaused };
          if (sendingPaused) world.witness.stoppedSince.set(sender.id, world.scheduler.now);
          else world.witness.stoppedSince.delete(sender.id);
        };
        set(true);
        return later(() => set(false));
      }
    }
  }

  /** The index of the process that owns the first sender's lane, or -1. */
  private owner(): number {
    const { processes, senders, server } = this.world;
    const owner = server.lanes.row(senders[0]!.id).committed?.owner;
    return processes.findIndex((process) => process?.life.name === owner);
  }

  /** Kills, freezes or cuts off one process. */
  private strike({ kind, process: index, forMs, until }: Crash): void {
    const { scheduler, server, links } = this.world;
    const { life } = this.world.processes[index]!;
    this.world.trace(() => `${life.name} ${kind} for ${forMs.toFixed()} ms`);
    switch (kind) {
      case 'kill':
        this.world.kill(index);
        return void scheduler.after(forMs, () => this.revive(index));
      case 'freeze':
        if (life.frozen) return;
        life.freeze();
        server.watchIdle(life);
        if (until !== undefined) {
          for (const other of this.world.living())
            if (other.life !== life) other.life.trapAt(until, () => void scheduler.after(0, () => life.thaw()));
        }
        return void scheduler.after(forMs, () => life.thaw());
      default: {
        const link = links[index]!;
        link.cutOff = true;
        server.watchIdle(life);
        scheduler.after(forMs, () => (link.cutOff = false));
      }
    }
  }

  /** Stops a process cleanly: everything in flight is recorded when `stop` resolves. */
  private async stop(index: number): Promise<void> {
    const process = this.world.processes[index];
    if (!process?.life.alive) return;
    await new Promise<void>((resolve) => process.life.act(() => void process.stop().then(resolve)));
    if (!process.life.alive) return;
    this.world.trace(() => `${process.life.name} has stopped`);
    process.life.end();
    this.world.server.disconnect(process.life);
    this.world.scheduler.after(500, () => this.revive(index));
  }

  /** Copies the database; later restores the copy, and kills every process before unless the restore is live. */
  private restore({ isLive, copiedAt, at, resumedAfterMs }: PlannedRestore): void {
    const { dice, processes, scheduler, server, witness } = this.world;
    const backup = server.backup!;
    scheduler.after(copiedAt, () => {
      this.world.trace(() => 'COPIED');
      backup.take();
      witness.copied();
    });
    scheduler.after(at, () => {
      this.world.trace(() => 'RESTORED');
      for (const index of isLive ? [] : processes.keys()) {
        this.world.kill(index);
        scheduler.after(dice.between(0, 3000), () => this.revive(index));
      }
      witness.restoring();
      backup.restore(isLive ? 'lost_transactions' : 'restored');
      witness.restored();
      this.world.persons?.restored();
    });
    scheduler.after(at + resumedAfterMs, () => {
      for (const { id } of server.jobs.committed()) void this.act(id, 'resume');
    });
  }

  /** Whether the plan cancels this job of the restored database instead of resuming it. */
  private isCancelledAfterRestore(jobId: string): boolean {
    if (!this.world.witness.waiting.has(jobId)) return false;
    return this.plan.jobs.some((_job, index) => idOf(3, index) === jobId && this.plan.restore!.cancelled[index]);
  }

  private revive(index: number): void {
    if (!this.world.processes[index]?.life.alive) this.world.start(index);
  }

  /** Ends every failure. */
  private heal(): void {
    const { plan, scheduler, server, platform } = this.world;
    this.world.trace(() => 'HEALED');
    this.world.healed = true;
    this.endpointClients.heal();
    server.away = false;
    platform.mood = 'fine';
    platform.faults = { answerLost: 0, notSent: 0, outage: 0, throttled: 0, slow: 0 };
    this.world.senders.forEach((sender, index) => (this.world.senders[index] = { ...sender, sendingPaused: false }));
    this.world.witness.stoppedSince.clear();
    for (const link of this.world.links) {
      link.cutOff = false;
      link.refuses = null;
      link.faults = { ...plan.database, refused: 0, answerLost: 0, longestMs: 100 };
    }
    this.world.processes.forEach((process, index) => {
      process?.life.thaw();
      this.revive(index);
    });
    const resume = (): void => {
      for (const { id, status } of server.jobs.committed()) {
        if (status === 'Paused' && !this.people?.neverResumes(id))
          void this.act(id, this.isCancelledAfterRestore(id) ? 'cancel' : 'resume');
      }
      scheduler.after(10_000, resume);
    };
    resume();
  }
}
