/** The identity of this process among those that share the database, and limits of its lane stores. */
export abstract class LaneStoreOptions {
  /** Name of this process, unique among the running ones. */
  abstract readonly owner: string;
  /** No other process can use the database: leases need no check and no renewal. */
  abstract readonly exclusive: boolean;
  /** How long a status of the platform may settle an unknown outcome. */
  abstract readonly graceMs: number;
  /** Maximum number of rows counted per statement. */
  abstract readonly proofRange: number;
}

/** How the lanes of a process read and renew together: hundreds of lanes would otherwise send a statement each, several times a second. */
export const TOGETHER = { maxItems: 500, gatherMs: 10 };
