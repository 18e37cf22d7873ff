import { DatabaseError, type DatabaseFaults, type DatabaseLink, type LinkEnd } from './history-database';
import type { OpenTransaction, TransactionDatabase } from './open-transactions';

/** The connections of one process to the database; every statement and commit can fail on the way. */
export abstract class ProcessLink<T extends OpenTransaction> implements DatabaseLink {
  faults: DatabaseFaults = { refused: 0, answerLost: 0, latencyMs: 2, longestMs: 2 };
  cutOff = false;
  delayMs = 0;
  refuses: string | null = null;

  constructor(
    readonly server: TransactionDatabase<T>,
    protected readonly end: LinkEnd,
  ) {}

  abstract read<R>(name: string, look: () => R): Promise<R>;

  /** Runs `work` on the server and returns its result; a failure on the way ends the transaction. */
  protected journey<R>(name: string, transaction: T, work: () => R | Promise<R>): Promise<R> {
    const { life } = this.end;
    return new Promise((resolve, reject) => {
      life.reach(name);
      life.act(() => this.travel(name, transaction, work, resolve, reject));
    });
  }

  /** Ends a transaction; if the connection fails, the server detects it later. */
  protected giveUp(transaction: T): void {
    if (this.cutOff) this.server.watch(transaction);
    else this.server.abort(transaction);
  }

  private travel<R>(
    name: string,
    transaction: T,
    work: () => R | Promise<R>,
    resolve: (result: R) => void,
    reject: (error: Error) => void,
  ): void {
    const { faults, server } = this;
    const { dice, life, trace } = this.end;
    const luck = dice.next();
    const refused = luck < faults.refused || this.refuses === name;
    const answerLost = !refused && luck < faults.refused + faults.answerLost;
    const fail = (reason: string): void => {
      trace(() => `${life.name}: ${name} fails: ${reason}`);
      this.giveUp(transaction);
      life.act(() => reject(new DatabaseError(`${name}: ${reason}`)));
    };
    if (this.cutOff) {
      server.scheduler.after(dice.between(100, 1500), () => fail('timeout'));
      return;
    }
    transaction.inStatement = true;
    const carryOut = async (): Promise<void> => {
      if (!transaction.isOpen || server.away || refused) {
        transaction.inStatement = false;
        return fail(refused ? 'connection reset' : 'the database is unavailable');
      }
      try {
        const result = await work();
        this.settle(transaction, name);
        life.reach(`${name}!`);
        if (answerLost) fail('connection lost after execution');
        else life.act(() => resolve(result));
      } catch (error) {
        this.settle(transaction, name);
        server.abort(transaction);
        if (!(error instanceof DatabaseError)) return life.act(() => reject(error as Error));
        fail(error.message);
      }
    };
    const delay = this.delayMs;
    this.delayMs = 0;
    server.scheduler.after(delay + dice.mostlySmall(faults.latencyMs, faults.longestMs), () => void carryOut());
  }

  private settle(transaction: T, name: string): void {
    const { server } = this;
    const { life, trace } = this.end;
    transaction.inStatement = false;
    transaction.activeAt = server.scheduler.now;
    trace(() => `${life.name}: ${name}`);
    if (!transaction.isOpen) return;
    if (!life.alive) server.abort(transaction);
    else if (life.frozen || this.cutOff) server.watch(transaction);
  }
}
