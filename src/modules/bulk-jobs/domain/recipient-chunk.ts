import { uuidV7 } from '../../../kernel/uuid';

/**
 * The size from which a chunk is written to the database, in one statement of less than twice as many rows. The embedded database has one connection, so other
 * statements wait for at most one chunk, about 10 ms.
 */
export const CHUNK_SIZE = 500;

/** Why a recipient is invalid. */
export interface RecipientProblem {
  code: string;
  message: string;
}

/** Characters that PostgreSQL refuses in JSON: lone surrogates and NUL. */
const UNSTORABLE = /[\p{Cs}\0]/gu;

/** Recipients of one job with consecutive positions, by column, as they are passed to the database. */
export class RecipientChunk {
  readonly rowNumbers: number[] = [];
  /** Generated ids of the messages in the history. */
  readonly messageIds: string[] = [];
  readonly phones: string[] = [];
  /** Arrays of strings as JSON. */
  readonly parameters: string[] = [];
  readonly problems: (string | null)[] = [];
  readonly problemMessages: (string | null)[] = [];

  constructor(readonly firstPosition: number) {}

  get size(): number {
    return this.phones.length;
  }

  /** Adds the next recipient; with a `problem` it is stored as failed. */
  add(rowNumber: number, phone: string, values: readonly string[], problem: RecipientProblem | null): void {
    this.rowNumbers.push(rowNumber);
    this.messageIds.push(uuidV7());
    // Only invalid rows can contain characters that cannot be stored.
    this.phones.push(problem ? storable(phone) : phone);
    this.parameters.push(JSON.stringify(problem ? values.map(storable) : values));
    this.problems.push(problem?.code ?? null);
    this.problemMessages.push(problem ? storable(problem.message) : null);
  }
}

function storable(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}
