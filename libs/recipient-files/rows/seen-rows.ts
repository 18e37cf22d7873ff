import { hash } from 'node:crypto';
import type { RecipientRow } from '../recipient-file';

const TABLES = 16;
const WORDS = 4;
const INITIAL_SLOTS = 64;

/** A set of rows by 127 bits of their SHA-256: 24 to 48 bytes per row, regardless of length. */
export class SeenRows {
  // Sixteen small tables, so that growing never copies one large table.
  private readonly tables = Array.from({ length: TABLES }, () => new DigestTable());

  /** Adds a row and returns whether none before has the same person, by number or user id, and the same contents. */
  addRow({ phone, userId, values, extras, reference }: RecipientRow): boolean {
    const hasMore = extras !== undefined || reference !== undefined;
    const contents = hasMore ? [...values, JSON.stringify([extras, reference])] : values;
    const isNew = this.add(phone, contents);
    const isNewUserId = userId === undefined || this.add(userId, contents);
    return isNew && isNewUserId;
  }

  /** Adds a person and returns whether none before has the number or the user id. */
  addPerson({ phone, userId }: RecipientRow): boolean {
    const isNew = this.add(phone, []);
    const isNewUserId = userId === undefined || this.add(userId, []);
    return isNew && isNewUserId;
  }

  /** Adds a phone with its values and returns whether the row is new. Values must not contain NUL. */
  add(phone: string, values: string[]): boolean {
    const digest = hash('sha256', `${phone}\0${values.join('\0')}`, 'binary');
    const table = this.tables[digest.charCodeAt(WORDS * 4) % TABLES];
    return table?.add(word(digest, 0), word(digest, 4), word(digest, 8), word(digest, 12) | 1) ?? true;
  }
}

/** A set of digests of four words; the last word is never 0, so 0 marks a free slot. */
class DigestTable {
  private slots = new Int32Array(INITIAL_SLOTS * WORDS);
  private count = 0;

  /** Adds a digest and returns whether it is new. */
  add(a: number, b: number, c: number, d: number): boolean {
    if (!insert(this.slots, a, b, c, d)) return false;
    this.count++;
    if (this.count * 3 > (this.slots.length / WORDS) * 2) this.grow();
    return true;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WORDS) {
      const d = old[at + 3] ?? 0;
      if (d !== 0) insert(this.slots, old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, d);
    }
  }
}

/** Stores the digest in its slot or the next free one; returns false if it is already there. */
function insert(slots: Int32Array, a: number, b: number, c: number, d: number): boolean {
  const mask = slots.length / WORDS - 1;
  for (let slot = a & mask; ; slot = (slot + 1) & mask) {
    const at = slot * WORDS;
    if (slots[at + 3] === 0) {
      slots[at] = a;
      slots[at + 1] = b;
      slots[at + 2] = c;
      slots[at + 3] = d;
      return true;
    }
    if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return false;
  }
}

function word(digest: string, at: number): number {
  return (
    digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)
  );
}
