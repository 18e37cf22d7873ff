/** Interval between connection attempts while the database refuses them. */
export const RETRY_EVERY_MS = 1000;

/** No connection to the database could be opened; `cause` says why. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = new.target.name;
  }
}

/**
 * Opens the connections of a process. While the database refuses them, makes one attempt a second and fails all other calls
 * immediately. Each failure is a NoConnectionError.
 */
export class ConnectionGate {
  /** Why the last attempt failed; undefined after one that succeeded. */
  private refusal: unknown;
  private attemptedAt = -Infinity;
  /** The attempt that all other calls wait for. */
  private first: Promise<void> | undefined;

  /** Runs `connect`, unless the database is known to refuse connections. */
  async open(connect: () => Promise<void>): Promise<void> {
    if (this.refusal !== undefined && (this.first || performance.now() - this.attemptedAt < RETRY_EVERY_MS)) {
      throw new NoConnectionError(this.refusal);
    }
    if (this.first) {
      await this.first;
      return this.attempt(connect);
    }
    this.first = this.attempt(connect);
    try {
      await this.first;
    } finally {
      this.first = undefined;
    }
  }

  private async attempt(connect: () => Promise<void>): Promise<void> {
    this.attemptedAt = performance.now();
    try {
      await connect();
      this.refusal = undefined;
    } catch (error) {
      this.refusal = error;
      throw new NoConnectionError(error);
    }
  }
}

/** The message of a connection error: Node leaves it empty if several addresses of a host failed. */
export function reasonOf(error: unknown): string {
  const { message, errors, code } = error as { message?: string; errors?: unknown[]; code?: unknown };
  return errors?.[0] ? reasonOf(errors[0]) : message || (typeof code === 'string' ? code : String(error));
}
