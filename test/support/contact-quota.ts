import { SystemClock } from '../../src/infra/system-clock';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import type { ContactStore } from '../../src/modules/groups/domain/contact-store.port';

/** A contact quota with this limit for the plan Free. */
export function contactQuotaOf(store: ContactStore, maxContacts: number): ContactQuota {
  const plans = new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 1, maxContacts } });
  return new ContactQuota(store, plans, new SystemClock());
}
