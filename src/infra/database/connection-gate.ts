/** How often a database that refuses connections is asked again. */
export const ASK_EVERY_MS = 1000;

/** No connection to the database could be opened; `cause` says why. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = new.target.name;
  }
}

/**
 * Opens connections for a whole process. While the database refuses them, one attempt a second is made; everybody else
 * fails at once. Each failure is a NoConnectionError.
 */
export class ConnectionGate {
  /** Why the last attempt failed; undefined after one that succeeded. */
  private refusal: unknown;
  private triedAt = -Infinity;
  /** The attempt whose outcome all others wait for. */
  private first: Promise<void> | undefined;

  /** Runs `connect`, unless the database is known to refuse connections. */
  async open(connect: () => Promise<void>): Promise<void> {
    if (this.refusal !== undefined && (this.first || performance.now() - this.triedAt < ASK_EVERY_MS)) {
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
    this.triedAt = performance.now();
    try {
      await connect();
      this.refusal = undefined;
    } catch (error) {
      this.refusal = error;
      throw new NoConnectionError(error);
    }
  }
}

/** What went wrong in words: Node gives an empty message where several addresses of one host failed. */
export function reasonOf(error: unknown): string {
  const { message, errors, code } = error as { message?: string; errors?: unknown[]; code?: unknown };
  return errors?.[0] ? reasonOf(errors[0]) : message || (typeof code === 'string' ? code : String(error));
}
