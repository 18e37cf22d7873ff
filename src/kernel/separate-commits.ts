import type { Clock } from './clock';
import type { RowsLockedError } from './unit-of-work';

/** An item that waits for its commit, and what settles its promise. */
export interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** How the items of a batch are separated when one of the rows that they need is locked. */
export interface Separation<Item> {
  /** Items of different owners never wait for the same row. */
  ownerOf: (item: Item) => string;
  /** Items of one owner with the same key need the same rows. */
  keyOf: (item: Item) => string;
}

interface Owner<Item, Result> {
  waiting: Waiting<Item, Result>[];
  /** By key: the items behind those that wait for a locked row. */
  blocked: Map<string, Waiting<Item, Result>[]>;
  blockedGroups: number;
  running: boolean;
}

/** How separated items are committed. */
export interface SeparateCommit<Item, Result> {
  /** Resolves with the error if a row is locked for longer than `lockWaitMs`, otherwise with null; never rejects. */
  tryCommit(batch: Waiting<Item, Result>[], lockWaitMs: number): Promise<RowsLockedError | null>;
  /** Rejects items whose row stays locked; resolves with false if they are to be tried further. */
  giveUp(batch: Waiting<Item, Result>[], error: RowsLockedError): Promise<boolean>;
}

/** Connections that separated items use at the same time. */
const CONNECTIONS = 2;
const LOCK_WAIT_MS = 50;
/**
 * A blocked item asks for its row again and again: a transaction that waited for it would hold the other rows that it needs, such as
 * the messaging tier of the business, and block everything else there. Shorter than what others wait for these rows.
 */
const BLOCKED_LOCK_WAIT_MS = 20;
const ASK_AGAIN_MS = 100;
/** As the lock_timeout of a session. */
const MAX_BLOCKED_MS = 4000;
/** The groups of an owner that are blocked at the same time; beyond these its other items wait, too. */
const MAX_BLOCKED_GROUPS = 4;
/** After so many blocked keys in a row the rows are probably the owner's: the remaining keys wait together. */
const MAX_BLOCKED_IN_ROW = 3;

/**
 * Commits the items of batches that met a locked row, so that only the items that need the row wait for it: tries the items of
 * each owner together, then those of each key, and the blocked ones again and again, without holding a row meanwhile.
 */
export class SeparateCommits<Item, Result> {
  private readonly owners = new Map<string, Owner<Item, Result>>();
  private readonly connections = new Places(CONNECTIONS);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly separation: Separation<Item>,
    private readonly commit: SeparateCommit<Item, Result>,
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
  ) {}

  /** Whether the owner of the item has items here: it may need the same row, so it is added here, too. */
  includesOwnerOf(item: Item): boolean {
    return this.owners.has(this.separation.ownerOf(item));
  }

  add(batch: readonly Waiting<Item, Result>[]): void {
    for (const [name, items] of groupsOf(batch, this.separation.ownerOf)) {
      const owner: Owner<Item, Result> = this.owners.get(name) ?? newOwner();
      this.owners.set(name, owner);
      owner.waiting.push(...items);
      this.proceed(name, owner);
    }
  }

  /** Resolves when nothing is left to commit. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private proceed(name: string, owner: Owner<Item, Result>): void {
    if (owner.running) return;
    if (owner.waiting.length === 0) {
      if (owner.blocked.size === 0) this.owners.delete(name);
      return;
    }
    if (owner.blockedGroups >= MAX_BLOCKED_GROUPS) return;
    owner.running = true;
    this.track(this.divide(name, owner, owner.waiting.splice(0)), () => {
      owner.running = false;
      this.proceed(name, owner);
    });
  }

  private async divide(name: string, owner: Owner<Item, Result>, batch: Waiting<Item, Result>[]): Promise<void> {
    const free = batch.filter((waiting) => {
      const behind = owner.blocked.get(this.separation.keyOf(waiting.item));
      behind?.push(waiting);
      return !behind;
    });
    if (free.length === 0 || !(await this.tryCommit(free))) return;
    const groups = groupsOf(free, this.separation.keyOf);
    let blockedInRow = groups.size === 1 ? MAX_BLOCKED_IN_ROW : 0;
    const rest: Waiting<Item, Result>[] = [];
    for (const group of groups.values()) {
      if (blockedInRow === MAX_BLOCKED_IN_ROW) rest.push(...group);
      else if (!(await this.tryCommit(group))) blockedInRow = 0;
      else {
        blockedInRow++;
        this.block(name, owner, group);
      }
    }
    if (rest.length > 0) this.block(name, owner, rest);
  }

  private tryCommit(batch: Waiting<Item, Result>[], lockWaitMs = LOCK_WAIT_MS): Promise<RowsLockedError | null> {
    return this.connections.use(() => this.commit.tryCommit(batch, lockWaitMs));
  }

  private async askAgain(group: Waiting<Item, Result>[]): Promise<void> {
    let since = this.clock.monotonic();
    for (;;) {
      await this.clock.sleep(ASK_AGAIN_MS);
      const locked = await this.tryCommit(group, BLOCKED_LOCK_WAIT_MS);
      if (!locked) return;
      if (this.clock.monotonic() - since < MAX_BLOCKED_MS) continue;
      if (await this.commit.giveUp(group, locked)) return;
      since = this.clock.monotonic();
    }
  }

  private block(name: string, owner: Owner<Item, Result>, group: Waiting<Item, Result>[]): void {
    const keys = new Set(group.map(({ item }) => this.separation.keyOf(item)));
    for (const key of keys) owner.blocked.set(key, []);
    owner.blockedGroups++;
    this.track(this.askAgain(group), () => {
      owner.blockedGroups--;
      for (const key of keys) {
        owner.waiting.push(...owner.blocked.get(key)!);
        owner.blocked.delete(key);
      }
      this.proceed(name, owner);
    });
  }

  private track(work: Promise<void>, then: () => void): void {
    const tracked = work.then(() => {
      this.underWay.delete(tracked);
      then();
    });
    this.underWay.add(tracked);
  }
}

/** Lets a limited number of pieces of work run at the same time, in the order in which they came. */
class Places {
  private readonly queue: (() => void)[] = [];

  constructor(private free: number) {}

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free++;
    }
  }
}

function newOwner<Item, Result>(): Owner<Item, Result> {
  return { waiting: [], blocked: new Map(), blockedGroups: 0, running: false };
}

function groupsOf<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  nameOf: (item: Item) => string,
): Map<string, Waiting<Item, Result>[]> {
  const groups = new Map<string, Waiting<Item, Result>[]>();
  for (const waiting of batch) {
    const name = nameOf(waiting.item);
    groups.set(name, [...(groups.get(name) ?? []), waiting]);
  }
  return groups;
}
