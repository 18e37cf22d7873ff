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

/** Connections that items of blocked batches use at the same time: to try, and to wait for a row. */
const TRYING = 2;
const WAITING = 4;
/** The groups of an owner that wait for rows at the same time; then its other items wait, too. */
const MAX_BLOCKED_GROUPS = 4;
/** After so many blocked keys in a row the rows are probably the owner's: the remaining keys wait together. */
const MAX_BLOCKED_IN_ROW = 3;

/**
 * Commits the items of batches that met a locked row, so that only the items that need the row wait for it: tries the items of
 * each owner together, then those of each key, and commits the blocked ones in transactions of their own.
 */
export class SeparateCommits<Item, Result> {
  private readonly owners = new Map<string, Owner<Item, Result>>();
  private readonly trying = new Places(TRYING);
  private readonly waitingForRows = new Places(WAITING);
  private readonly underWay = new Set<Promise<void>>();

  /** `tryCommit` resolves with false if a row is locked; `commit` waits for the row. Neither rejects. */
  constructor(
    private readonly separation: Separation<Item>,
    private readonly tryCommit: (batch: Waiting<Item, Result>[]) => Promise<boolean>,
    private readonly commit: (batch: Waiting<Item, Result>[]) => Promise<void>,
  ) {}

  /** Whether the owner of the item has items here: it may need the same row, so it is added here, too. */
  includesOwnerOf(item: Item): boolean {
    return this.owners.has(this.separation.ownerOf(item));
  }

  add(batch: readonly Waiting<Item, Result>[]): void {
    for (const [name, items] of groupsOf(batch, this.separation.ownerOf)) {
      const owner = this.owners.get(name) ?? { waiting: [], blocked: new Map(), blockedGroups: 0, running: false };
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
    if (free.length === 0 || (await this.isCommitted(free))) return;
    const groups = groupsOf(free, this.separation.keyOf);
    let blockedInRow = groups.size === 1 ? MAX_BLOCKED_IN_ROW : 0;
    const rest: Waiting<Item, Result>[] = [];
    for (const group of groups.values()) {
      if (blockedInRow === MAX_BLOCKED_IN_ROW) rest.push(...group);
      else if (await this.isCommitted(group)) blockedInRow = 0;
      else {
        blockedInRow++;
        this.waitForRow(name, owner, group);
      }
    }
    if (rest.length > 0) this.waitForRow(name, owner, rest);
  }

  private isCommitted(batch: Waiting<Item, Result>[]): Promise<boolean> {
    return this.trying.use(() => this.tryCommit(batch));
  }

  private waitForRow(name: string, owner: Owner<Item, Result>, group: Waiting<Item, Result>[]): void {
    const keys = new Set(group.map(({ item }) => this.separation.keyOf(item)));
    for (const key of keys) owner.blocked.set(key, []);
    owner.blockedGroups++;
    this.track(
      this.waitingForRows.use(() => this.commit(group)),
      () => {
        owner.blockedGroups--;
        for (const key of keys) {
          owner.waiting.push(...owner.blocked.get(key)!);
          owner.blocked.delete(key);
        }
        this.proceed(name, owner);
      },
    );
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
