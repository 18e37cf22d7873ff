import { setTimeout as wait } from 'node:timers/promises';
import { RegularWork } from './regular-work';

class Rounds extends RegularWork {
  readonly errors: string[] = [];
  begun = 0;
  underWay = 0;
  mostUnderWay = 0;

  constructor(private readonly work: () => Promise<void>) {
    super(5);
  }

  protected async round(): Promise<void> {
    this.begun++;
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    try {
      await this.work();
    } finally {
      this.underWay--;
    }
  }

  protected failed(error: Error): void {
    this.errors.push(error.message);
  }
}

describe('Regular work', () => {
  it('begins at once, comes again, and never twice at a time', async () => {
    const rounds = new Rounds(() => wait(20));
    rounds.onApplicationBootstrap();
    expect(rounds.begun).toBe(1);
    while (rounds.begun < 4) await wait(5);
    await rounds.onModuleDestroy();
    expect(rounds.mostUnderWay).toBe(1);
  });

  it('goes on after a round that failed, and tells why', async () => {
    const rounds = new Rounds(() => Promise.reject(new Error('the database is away')));
    rounds.onApplicationBootstrap();
    while (rounds.begun < 3) await wait(5);
    await rounds.onModuleDestroy();
    expect(rounds.errors.length).toBe(rounds.begun);
    expect(new Set(rounds.errors)).toEqual(new Set(['the database is away']));
  });

  it('ends with the round that is under way, and begins none after it', async () => {
    const rounds = new Rounds(() => wait(30));
    rounds.onApplicationBootstrap();
    await rounds.onModuleDestroy();
    expect(rounds.underWay).toBe(0);
    const { begun } = rounds;
    await wait(30);
    expect(rounds.begun).toBe(begun);
  });
});
