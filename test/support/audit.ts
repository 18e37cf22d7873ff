import { type Actor, AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { SystemClock } from '../../src/infra/system-clock';
import { InMemoryAuditStore } from '../fakes/in-memory-audit-store';

/** An audit log that no test reads. */
export function unreadAuditLog(): AuditLogService {
  return new AuditLogService(new InMemoryAuditStore(), new SystemClock());
}

/** Someone without a key who acts in an account. */
export function actorIn(accountId: string): Actor {
  return { accountId, keyId: null, keyPrefix: null };
}
