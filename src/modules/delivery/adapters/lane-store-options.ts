/** Who this process is among the ones that share the database, and how the stores of its lanes count. */
export abstract class LaneStoreOptions {
  /** Name of this process, unique among the running ones. */
  abstract readonly owner: string;
  /** No other process can be here: a lease is never doubted and never renewed. */
  abstract readonly exclusive: boolean;
  /** How long an unknown outcome may settle by itself. */
  abstract readonly graceMs: number;
  /** Rows that one statement may count. */
  abstract readonly proofRange: number;
}
