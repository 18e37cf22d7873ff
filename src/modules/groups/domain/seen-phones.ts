import type { PhoneNumber } from '../../../kernel/phone-number';

const FIRST_SLOTS = 1024;

/** A set of millions of phone numbers, in 11 to 32 bytes each. */
export class SeenPhones {
  /** 0 is a free slot; a double represents numbers of up to 15 digits exactly. */
  private slots = new Float64Array(FIRST_SLOTS);
  private count = 0;

  /** Adds a number; returns whether it is new. */
  add(phone: PhoneNumber): boolean {
    if (!insert(this.slots, Number(phone))) return false;
    this.count++;
    if (this.count * 4 > this.slots.length * 3) this.grow();
    return true;
  }

  private grow(): void {
    const larger = new Float64Array(this.slots.length * 2);
    for (const key of this.slots) if (key !== 0) insert(larger, key);
    this.slots = larger;
  }
}

/** Stores the key in its slot or the next free one; returns false if it is already there. */
function insert(slots: Float64Array, key: number): boolean {
  const mask = slots.length - 1;
  // Numbers of one country differ only in their last digits: both halves are mixed to avoid clusters.
  const mixed = Math.imul(key % 0x1_0000_0000, 0x9e37_79b1) ^ Math.imul(key / 0x1_0000_0000, 0x85eb_ca6b);
  for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    if (slots[slot] === 0) {
      slots[slot] = key;
      return true;
    }
    if (slots[slot] === key) return false;
  }
}
