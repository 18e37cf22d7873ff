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
  name: string;
  waiting: Waiting<Item, Result>[];
  /** By key: the items behind those that wait for a locked row. */
  blocked: Map<string, Waiting<Item, Result>[]>;
  blockedGroups: number;
  running: boolean;
}

/** How separated items are committed: see GroupCommit. */
export interface BatchCommits<Item, Result> {
  commit(batch: readonly Waiting<Item, Result>[], lockWaitMs: number): Promise<RowsLockedError | null>;
  rejects(batch: readonly Waiting<Item, Result>[], error: unknown): Promise<boolean>;
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
  private freeConnections = CONNECTIONS;
  /** In the order in which they came. */
  private readonly awaitConnection: (() => void)[] = [];

  constructor(
    private readonly separation: Separation<Item>,
    private readonly commits: BatchCommits<Item, Result>,
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
  ) {}

  /** Whether the owner of the item has items here: it may need the same row, so it is added here, too. */
  includesOwnerOf(item: Item): boolean {
    return this.owners.has(this.separation.ownerOf(item));
  }

  /** Begins to commit items, or to reject them. */
  add(batch: readonly Waiting<Item, Result>[]): void {
    for (const [name, items] of groupsOf(batch, this.separation.ownerOf)) {
      const owner: Owner<Item, Result> = this.owners.get(name) ?? {
        name,
        waiting: [],
        blocked: new Map(),
        blockedGroups: 0,
        running: false,
      };
      this.owners.set(name, owner);
      owner.waiting.push(...items);
      void this.proceed(owner);
    }
  }

  private async proceed(owner: Owner<Item, Result>): Promise<void> {
    if (owner.running) return;
    owner.running = true;
    while (owner.waiting.length > 0 && owner.blockedGroups < MAX_BLOCKED_GROUPS) {
      await this.divide(owner, owner.waiting.splice(0));
    }
    owner.running = false;
    if (owner.waiting.length === 0 && owner.blocked.size === 0) this.owners.delete(owner.name);
  }

  /** Tries the items that are not behind blocked ones together, then those of each key. */
  private async divide(owner: Owner<Item, Result>, batch: Waiting<Item, Result>[]): Promise<void> {
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
      else if (await this.tryCommit(group)) {
        blockedInRow++;
        void this.askAgain(owner, group);
      } else blockedInRow = 0;
    }
    if (rest.length > 0) void this.askAgain(owner, rest);
  }

  /** Tries a blocked group until it is committed or rejected; then what has come behind it proceeds. */
  private async askAgain(owner: Owner<Item, Result>, group: Waiting<Item, Result>[]): Promise<void> {
    const keys = new Set(group.map(({ item }) => this.separation.keyOf(item)));
    for (const key of keys) owner.blocked.set(key, []);
    owner.blockedGroups++;
    let since = this.clock.monotonic();
    let locked: RowsLockedError | null;
    do {
      await this.clock.sleep(ASK_AGAIN_MS);
      locked = await this.tryCommit(group, BLOCKED_LOCK_WAIT_MS);
      if (!locked || this.clock.monotonic() - since < MAX_BLOCKED_MS) continue;
      if (await this.commits.rejects(group, locked)) break;
      since = this.clock.monotonic();
    } while (locked);
    owner.blockedGroups--;
    for (const key of keys) {
      owner.waiting.push(...owner.blocked.get(key)!);
      owner.blocked.delete(key);
    }
    await this.proceed(owner);
  }

  private async tryCommit(batch: Waiting<Item, Result>[], lockWaitMs = LOCK_WAIT_MS): Promise<RowsLockedError | null> {
    if (this.freeConnections > 0) this.freeConnections--;
    else await new Promise<void>((resolve) => this.awaitConnection.push(resolve));
    const locked = await this.commits.commit(batch, lockWaitMs);
    const next = this.awaitConnection.shift();
    if (next) next();
    else this.freeConnections++;
    return locked;
  }
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
