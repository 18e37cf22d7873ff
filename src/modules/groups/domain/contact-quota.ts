import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { Plans } from '../../accounts/domain/plans';
import { ContactStore } from './contact-store.port';
import type { Person } from './opt-out';

/** Counts below this are not cached. */
const MIN_CACHED_COUNT = 10_000;
/** A count is cached longer the larger it is: a million contacts are counted at most every 10 s, 1 % of a connection. */
const CONTACTS_PER_CACHED_MS = 100;

/**
 * Enforces a plan's limit of contacts (`maxContacts`). People who write to the account become contacts beyond it. Concurrent
 * requests, and other processes while a count is cached, can exceed it by what they add.
 */
@Injectable()
export class ContactQuota {
  private readonly counts = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly store: ContactStore,
    private readonly plans: Plans,
    private readonly clock: Clock,
  ) {}

  /** Reserves room for those of the people who are not contacts yet; throws QuotaExceededError. */
  async reserve(accountId: string, plan: string, people: readonly Person[]): Promise<void> {
    await this.reserveNew(accountId, plan, await this.store.countNew(accountId, people));
  }

  /** Reserves room for `added` new contacts; throws QuotaExceededError. */
  async reserveNew(accountId: string, plan: string, added: number): Promise<void> {
    if (added === 0) return;
    const { maxContacts } = this.plans.of(plan);
    const contacts = await this.contactsOf(accountId, maxContacts);
    if (contacts.count + added > maxContacts) throw new QuotaExceededError('maxContacts', maxContacts);
    contacts.count += added;
  }

  /** Whether all of `people` may become contacts. */
  async hasRoomFor(accountId: string, plan: string, people: number): Promise<boolean> {
    const { maxContacts } = this.plans.of(plan);
    return (await this.contactsOf(accountId, maxContacts)).count + people <= maxContacts;
  }

  private async contactsOf(accountId: string, limit: number): Promise<{ count: number }> {
    const cached = this.counts.get(accountId);
    if (cached && this.clock.monotonic() < cached.until) return cached;
    const count = await this.store.count(accountId, limit);
    const counted = { count, until: this.clock.monotonic() + count / CONTACTS_PER_CACHED_MS };
    if (count >= MIN_CACHED_COUNT) this.counts.set(accountId, counted);
    else this.counts.delete(accountId);
    return counted;
  }
}
