import { isUserId } from '../../../kernel/user-id';

const INITIAL_SLOTS = 1024;

/** A set of people: millions of phone numbers, in 11 to 32 bytes each, and user ids. */
export class SeenPeople {
  /** 0 is a free slot; a double represents numbers of up to 15 digits exactly. */
  private slots = new Float64Array(INITIAL_SLOTS);
  private count = 0;
  private readonly userIds = new Set<string>();

  /** Adds a person by phone number or user id; returns whether it is new. */
  add(person: string): boolean {
    if (isUserId(person)) return this.addUserId(person);
    if (!insert(this.slots, Number(person))) return false;
    this.count++;
    if (this.count * 4 > this.slots.length * 3) this.grow();
    return true;
  }

  /** Whether a person was added. */
  has(person: string): boolean {
    if (isUserId(person)) return this.userIds.has(person);
    return this.slots[slotOf(this.slots, Number(person))] !== 0;
  }

  private addUserId(userId: string): boolean {
    const { size } = this.userIds;
    return this.userIds.add(userId).size > size;
  }

  private grow(): void {
    const larger = new Float64Array(this.slots.length * 2);
    for (const key of this.slots) if (key !== 0) insert(larger, key);
    this.slots = larger;
  }
}

/** Stores the key; returns false if it is already there. */
function insert(slots: Float64Array, key: number): boolean {
  const slot = slotOf(slots, key);
  if (slots[slot] === key) return false;
  slots[slot] = key;
  return true;
}

/** The slot that has the key, else the free one for it. */
function slotOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1;
  // Numbers of one country differ only in their last digits: both halves are mixed to avoid clusters.
  const mixed = Math.imul(key % 0x1_0000_0000, 0x9e37_79b1) ^ Math.imul(key / 0x1_0000_0000, 0x85eb_ca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}
