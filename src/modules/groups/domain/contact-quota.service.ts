import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { Plans } from '../../accounts/domain/plans';
import { ContactStore } from './contact-store.port';
import type { Person } from './opt-out';

/** Counts below this are not cached. */
const CACHED_FROM = 10_000;
/** Contacts per ms of validity: a million are counted at most every 10 s, which takes 1 % of a connection. */
const COUNTED_PER_MS = 100;

/**
 * The contacts that the plan of an account allows (`maxContacts`). People who write to the account become contacts all the same.
 * Requests at the same time, and other processes while a count is cached, can exceed it by what they add.
 */
@Injectable()
export class ContactQuota {
  private readonly counts = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly store: ContactStore,
    private readonly plans: Plans,
    private readonly clock: Clock,
  ) {}

  /** Reserves room for those of these people who are no contacts yet; throws QuotaExceededError. */
  async reserve(accountId: string, plan: string, people: readonly Person[]): Promise<void> {
    await this.reserveNew(accountId, plan, await this.store.countNew(accountId, people));
  }

  /** Reserves room for so many new contacts; throws QuotaExceededError. */
  async reserveNew(accountId: string, plan: string, added: number): Promise<void> {
    if (added === 0) return;
    const { maxContacts } = this.plans.of(plan);
    const contacts = await this.contactsOf(accountId, maxContacts);
    if (contacts.count + added > maxContacts) throw new QuotaExceededError('maxContacts', maxContacts);
    contacts.count += added;
  }

  /** Whether all of so many people may become contacts. */
  async hasRoomFor(accountId: string, plan: string, people: number): Promise<boolean> {
    const { maxContacts } = this.plans.of(plan);
    return (await this.contactsOf(accountId, maxContacts)).count + people <= maxContacts;
  }

  private async contactsOf(accountId: string, limit: number): Promise<{ count: number }> {
    const known = this.counts.get(accountId);
    if (known && this.clock.monotonic() < known.until) return known;
    const count = await this.store.count(accountId, limit);
    const counted = { count, until: this.clock.monotonic() + count / COUNTED_PER_MS };
    if (count >= CACHED_FROM) this.counts.set(accountId, counted);
    else this.counts.delete(accountId);
    return counted;
  }
}
