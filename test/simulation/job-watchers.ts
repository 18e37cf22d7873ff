import type { OpenStream } from '../../src/modules/live/adapters/live-updates';
import { PromiseBroken } from './promise-broken';
import type { SimulatedProcess } from './simulated-process';
import type { World } from './world';

interface Progress {
  status: string;
  successfullySent: number;
}

const RECONNECT_MS = 500;
const READY = 0.8;

/** Clients that watch jobs: each reads the stream of some process, and reconnects to another process when the first is gone. */
export class JobWatchers {
  private readonly watching = new Set<string>();

  constructor(private readonly world: World) {}

  watch(jobId: string): void {
    this.watching.add(jobId);
    this.connect(jobId, { lastId: null, sent: 0 });
  }

  isOver(): boolean {
    return this.watching.size === 0;
  }

  end(): void {
    if (this.watching.size > 0) throw new PromiseBroken('a stream ends with its job', [...this.watching].join());
  }

  private connect(jobId: string, known: { lastId: string | null; sent: number }): void {
    const { dice, scheduler } = this.world;
    const living = this.world.living();
    const process = living.length > 0 ? dice.pick(living) : null;
    if (process) process.life.act(() => this.open(jobId, process, known));
    else scheduler.after(RECONNECT_MS, () => this.connect(jobId, known));
  }

  private open(jobId: string, { life, observation }: SimulatedProcess, known: { lastId: string | null; sent: number }) {
    const { dice, scheduler } = this.world;
    let isOpen = true;
    let close = (): void => undefined;
    const stream: OpenStream = {
      get isReady() {
        return dice.chance(READY);
      },
      send: (text) => this.world.guard(() => this.read(jobId, text, known)),
      end: () => {
        isOpen = false;
        close();
        if (this.watching.has(jobId))
          this.world.break(new PromiseBroken('a stream ends with its job', `${jobId}: it ended before`));
      },
      onClose: (handler) => (close = handler),
    };
    observation!.streams.watchJob(jobId, stream, known.lastId);
    const poll = (): void => {
      if (!isOpen || this.world.broken) return;
      if (life.alive) return void scheduler.after(RECONNECT_MS, poll);
      close();
      this.connect(jobId, known);
    };
    poll();
  }

  private read(jobId: string, text: string, known: { lastId: string | null; sent: number }): void {
    for (const event of text.split('\n\n').slice(0, -1)) {
      const { event: type = 'message', id, data } = fieldsOf(event);
      const { status, successfullySent } = JSON.parse(data!) as Progress;
      if (successfullySent < known.sent)
        throw new PromiseBroken('streams never regress', `${jobId}: ${successfullySent} after ${known.sent}`);
      if (!this.watching.has(jobId)) throw new PromiseBroken('nothing follows the end of a stream', jobId);
      Object.assign(known, { lastId: id, sent: successfullySent });
      if (type === 'end') this.ended(jobId, status, successfullySent);
    }
  }

  private ended(jobId: string, status: string, sent: number): void {
    const job = this.world.server.jobs.row(jobId).committed!;
    if (job.completedAt === null || job.status !== status || sent > job.successfullySent) {
      throw new PromiseBroken('a stream ends with its job', `${jobId} ${status} ${sent}, not ${JSON.stringify(job)}`);
    }
    this.watching.delete(jobId);
  }
}

/** The fields of a server-sent event. */
function fieldsOf(event: string): Record<string, string> {
  const pairs = event.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1));
  return Object.fromEntries(pairs) as Record<string, string>;
}
