import { uuidV7 } from '../../../kernel/uuid';

/**
 * Recipients from which on a chunk is full and goes to the database, in one statement of less than twice as many. The embedded database has one connection: whoever else needs
 * it waits for at most one chunk, which takes it about 10 ms.
 */
export const CHUNK_SIZE = 500;

/** What is wrong with a recipient that will not be attempted. */
export interface RecipientProblem {
  code: string;
  message: string;
}

/** What the JSON type of the database refuses: halves of surrogate pairs, and NUL. */
const UNSTORABLE = /[\p{Cs}\0]/gu;

/** Recipients of one job with positions in a row, kept by column because that is how they travel to the database. */
export class RecipientChunk {
  readonly rowNumbers: number[] = [];
  /** Made here: the id that the message will have in the history. */
  readonly messageIds: string[] = [];
  readonly phones: string[] = [];
  /** Each the JSON text of an array of strings. */
  readonly parameters: string[] = [];
  readonly problems: (string | null)[] = [];
  readonly problemMessages: (string | null)[] = [];

  constructor(readonly firstPosition: number) {}

  get size(): number {
    return this.phones.length;
  }

  /** Takes the next recipient; with a `problem` it counts as failed from the start. */
  add(rowNumber: number, phone: string, values: readonly string[], problem: RecipientProblem | null): void {
    this.rowNumbers.push(rowNumber);
    this.messageIds.push(uuidV7());
    // Only rows that are bad anyway can hold characters that cannot be stored.
    this.phones.push(problem ? storable(phone) : phone);
    this.parameters.push(JSON.stringify(problem ? values.map(storable) : values));
    this.problems.push(problem?.code ?? null);
    this.problemMessages.push(problem ? storable(problem.message) : null);
  }
}

function storable(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}
