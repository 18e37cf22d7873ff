import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { phoneKey } from '../../../kernel/phone-number';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { ContactStore } from './contact-store.port';
import type { Erasure, ErasureHandler } from './erasure';
import { ErasureStore } from './erasure-store.port';
import { ContactNotFoundError } from './groups.errors';

/** How long a request waits for the end of what it asked for. */
const WITHIN_REQUEST_MS = 5000;
/** When the person is swept once more: what was in flight at first has been recorded by then. */
const SECOND_ROUND_AFTER_MS = 120_000;
const ROUNDS = 2;
/** How soon parts that wait, and those that failed, are asked again. */
const WAIT_MS = 5000;
const RETRY_MS = 30_000;

/** Erases people wherever the service keeps something of them; what is begun is brought to its end, whatever breaks. */
@Injectable()
export class PersonErasure {
  private readonly handlers = new Map<string, ErasureHandler>();

  constructor(
    private readonly contacts: ContactStore,
    private readonly erasures: ErasureStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Calls `handler` for everybody who is to be erased; `part` is its name for as long as an erasure may take. */
  onErase(part: string, handler: ErasureHandler): void {
    this.handlers.set(part, handler);
  }

  /**
   * Removes the contact and erases the person; whether all that is known of them is gone, or goes within minutes. An
   * opt-out stands. Throws ContactNotFoundError.
   */
  async eraseContact(accountId: string, contactId: string): Promise<'erased' | 'erasing'> {
    const owner = uuidV7();
    const erasure = await this.unitOfWork.run(async () => {
      const contact = await this.contacts.find(accountId, contactId);
      if (!contact || !(await this.contacts.remove(accountId, contactId))) throw new ContactNotFoundError();
      const { phone, userId } = contact;
      const begun: Erasure = {
        id: uuidV7(),
        person: { accountId, phone, userId, requestedAt: this.clock.now() },
        round: 1,
        positions: {},
      };
      await this.erasures.begin(begun, owner);
      return begun;
    });
    try {
      return (await this.goOn(erasure, owner, this.clock.monotonic() + WITHIN_REQUEST_MS)) ? 'erased' : 'erasing';
    } catch {
      // It stands in the database and is taken up again when its lease is over.
      return 'erasing';
    }
  }

  /** Keys of the phones whose people are being erased: nothing of them may be copied. */
  async underWay(accountId: string): Promise<Set<string>> {
    return new Set((await this.erasures.phonesUnderWay(accountId)).map(phoneKey));
  }

  /** Goes on with erasures that are due, one after the other, for at most `forMs`; returns how many it worked on. */
  async sweep(forMs: number, onError: (error: unknown) => void): Promise<number> {
    const until = this.clock.monotonic() + forMs;
    for (let taken = 0; ; taken++) {
      const owner = uuidV7();
      const erasure = this.clock.monotonic() < until ? await this.erasures.takeDue(owner) : null;
      if (!erasure) return taken;
      try {
        await this.goOn(erasure, owner, until);
      } catch (error) {
        onError(error);
        await this.erasures.putOff(erasure.id, owner, RETRY_MS);
      }
    }
  }

  /** Works until the round is done, or `until`; true when it is done. */
  private async goOn(erasure: Erasure, owner: string, until: number): Promise<boolean> {
    const { id, person, positions } = erasure;
    const open = new Map([...this.handlers].filter(([part]) => positions[part] !== true));
    const waiting = new Set<string>();
    while (open.size > waiting.size && this.clock.monotonic() < until) {
      for (const [part, handler] of open) {
        if (waiting.has(part)) continue;
        const before = positions[part];
        const step = await handler(person, typeof before === 'string' ? before : null);
        if (step.done) {
          positions[part] = true;
          open.delete(part);
        } else {
          if (step.position !== undefined) positions[part] = step.position;
          if (step.waiting) waiting.add(part);
        }
        if (!(await this.erasures.progress(id, owner, positions))) return false;
        if (this.clock.monotonic() >= until) break;
      }
    }
    if (open.size > 0) await this.erasures.putOff(id, owner, waiting.size === open.size ? WAIT_MS : 0);
    else if (erasure.round < ROUNDS) await this.erasures.nextRound(id, owner, SECOND_ROUND_AFTER_MS);
    else await this.erasures.complete(id, owner);
    return open.size === 0;
  }
}
