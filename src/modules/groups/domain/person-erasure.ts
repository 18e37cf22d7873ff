import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { ContactStore } from './contact-store.port';
import type { Erasure, ErasurePart } from './erasure';
import { ErasureStore } from './erasure-store.port';
import { ContactNotFoundError } from './groups.errors';

/** How long a request works on its erasure. */
const REQUEST_BUDGET_MS = 5000;
/** When the second round starts: messages in flight during the first have been recorded by then. */
const SECOND_ROUND_AFTER_MS = 120_000;
const ROUNDS = 2;
/** Delays before waiting parts and failed parts are called again. */
const WAIT_MS = 5000;
const RETRY_MS = 30_000;

/** Erases people in all parts of the service; continues each erasure until it is complete, even after crashes. */
@Injectable()
export class PersonErasure {
  private readonly parts: ErasurePart[] = [];

  constructor(
    private readonly contacts: ContactStore,
    private readonly erasures: ErasureStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /** Adds a part to every erasure. */
  add(part: ErasurePart): void {
    this.parts.push(part);
  }

  /**
   * Deletes the contact and erases the person; returns whether this is complete or continues in the background. An
   * opt-out remains. Throws ContactNotFoundError.
   */
  async eraseContact(caller: Caller, contactId: string): Promise<'erased' | 'erasing'> {
    const { accountId } = caller;
    const owner = uuidV7();
    const erasure = await this.unitOfWork.run(async (): Promise<Erasure> => {
      const contact = await this.contacts.find(accountId, contactId);
      if (!contact || !(await this.contacts.remove(accountId, contactId))) throw new ContactNotFoundError();
      const id = uuidV7();
      const person = { accountId, phone: contact.phone, userId: contact.userId };
      await this.erasures.begin(id, person, owner);
      await this.audit.record(caller, { action: 'person.erased', targetId: contactId });
      return { id, person: { ...person, requestedAt: this.clock.now() }, round: 1, positions: {} };
    });
    try {
      return (await this.continueErasure(erasure, owner, this.clock.monotonic() + REQUEST_BUDGET_MS))
        ? 'erased'
        : 'erasing';
    } catch {
      // The erasure is stored: a sweep continues it after its lease expires.
      return 'erasing';
    }
  }

  /** Phone numbers and user ids of people being erased, whose data must not be copied; with `since` only erasures committed later. */
  async peopleBeingErased(accountId: string, since: Date | null = null): Promise<Set<string>> {
    return new Set(await this.erasures.peopleBeingErased(accountId, since));
  }

  /** Continues due erasures one after the other for at most `forMs`; returns how many it worked on. */
  async sweep(forMs: number, onError: (error: unknown) => void): Promise<number> {
    const until = this.clock.monotonic() + forMs;
    for (let taken = 0; ; taken++) {
      const owner = uuidV7();
      const erasure = this.clock.monotonic() < until ? await this.erasures.claimDue(owner) : null;
      if (!erasure) return taken;
      try {
        await this.continueErasure(erasure, owner, until);
      } catch (error) {
        onError(error);
        await this.erasures.postpone(erasure.id, owner, RETRY_MS);
      }
    }
  }

  /** Works until the round is done or until `until`; returns whether it is done. */
  private async continueErasure(erasure: Erasure, owner: string, until: number): Promise<boolean> {
    const { id, positions } = erasure;
    let { person } = erasure;
    if (erasure.round === 1 && Object.keys(positions).length === 0) {
      // A job that began before the request was committed may have read the contact.
      const requestedAt = await this.erasures.setRequestedAt(id, owner);
      if (!requestedAt) return false;
      person = { ...person, requestedAt };
    }
    const open = new Set(this.parts.filter(({ name }) => positions[name] !== true));
    const waiting = new Set<ErasurePart>();
    while (open.size > waiting.size && this.clock.monotonic() < until) {
      for (const part of open) {
        if (waiting.has(part)) continue;
        const before = positions[part.name];
        const step = await part.erase(person, typeof before === 'string' ? before : null);
        if (step.done) {
          positions[part.name] = true;
          open.delete(part);
        } else {
          if (step.position !== undefined) positions[part.name] = step.position;
          if (step.waiting) waiting.add(part);
        }
        if (!(await this.erasures.progress(id, owner, positions))) return false;
        if (this.clock.monotonic() >= until) break;
      }
    }
    if (open.size > 0) await this.erasures.postpone(id, owner, waiting.size === open.size ? WAIT_MS : 0);
    else if (erasure.round < ROUNDS) await this.erasures.nextRound(id, owner, SECOND_ROUND_AFTER_MS);
    else await this.erasures.complete(id, owner);
    return open.size === 0;
  }
}
