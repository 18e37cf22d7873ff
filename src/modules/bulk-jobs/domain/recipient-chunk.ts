import { uuidV7 } from '../../../kernel/uuid';
import type { ReadRow } from '../../recipient-files/domain/file-rows';
import { keysOf } from './person-keys';
import { extrasOf, type TemplateExtras } from '../../templates/domain/template-extras';

/**
 * A chunk of this size or more is written, in one statement of less than twice as many rows. The embedded database has one connection, so
 * other statements wait for at most one chunk, about 10 ms.
 */
export const CHUNK_SIZE = 500;

/** A row of a file or list, or a recipient of an earlier job with its own extras. */
export interface RecipientRow extends ReadRow {
  own?: TemplateExtras;
}

/** Why a recipient is invalid. */
interface RecipientProblem {
  code: string;
  message: string;
}

/** Characters that PostgreSQL rejects in JSON: lone surrogates and NUL. */
const UNSTORABLE = /[\p{Cs}\0]/gu;

/** Recipients of one job with consecutive positions, by column, as they are passed to the database. */
export class RecipientChunk {
  readonly rowNumbers: number[] = [];
  /** Generated ids of the messages. */
  readonly messageIds: string[] = [];
  /** Phone numbers, or user ids of people without one. */
  readonly people: string[] = [];
  /** User ids of recipients whose number is known; empty while none has one. */
  readonly userIds: (string | null)[] = [];
  /** Of all recipients, in any order; see keysOf. */
  readonly keys: number[] = [];
  /** Arrays of strings as JSON. */
  readonly parameters: string[] = [];
  /** The recipients' own extras as JSON; empty while none has any. */
  readonly extras: string[] = [];
  /** The recipients' own references; empty while none has one. */
  readonly references: (string | null)[] = [];
  /** The other cells of their rows as JSON; empty while none has any. */
  readonly otherCells: string[] = [];
  readonly problems: (string | null)[] = [];
  readonly problemMessages: (string | null)[] = [];

  /** `createdAt` is the time in the message ids, by which an erasure finds messages created before its request. */
  constructor(
    readonly firstPosition: number,
    private readonly createdAt: Date,
  ) {}

  get size(): number {
    return this.people.length;
  }

  /** Adds the next recipient; with a `problem` it is stored as failed. */
  add(row: RecipientRow, problem: RecipientProblem | null): void {
    const { rowNumber, phone, userId, values, reference, otherCells } = row;
    const own = ownExtrasOf(row);
    // Most chunks have none and leave the lists empty.
    if (own) this.extras[this.size] = JSON.stringify(own);
    if (userId !== undefined) this.userIds[this.size] = userId;
    if (reference !== undefined) this.references[this.size] = reference;
    if (otherCells !== undefined) this.otherCells[this.size] = JSON.stringify(otherCells.map(storable));
    this.rowNumbers.push(rowNumber);
    this.messageIds.push(uuidV7(this.createdAt.getTime()));
    // Of phone and values only those of invalid rows can contain characters that cannot be stored.
    const person = problem ? storable(phone) : phone;
    this.people.push(person);
    this.keys.push(...keysOf({ phone: person, userId, isInvalid: problem !== null }));
    this.parameters.push(JSON.stringify(problem ? values.map(storable) : values));
    this.problems.push(problem?.code ?? null);
    this.problemMessages.push(problem ? storable(problem.message) : null);
  }
}

/** The recipient's own extras; null: none. */
export function ownExtrasOf({ extras, own }: RecipientRow): TemplateExtras | null {
  if (own || !extras) return own ?? null;
  const { flowToken, ...fields } = extras;
  return extrasOf({ ...fields, ...(flowToken !== undefined && { flow: { token: flowToken } }) });
}

function storable(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}
