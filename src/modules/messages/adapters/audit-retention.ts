import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import type { RetentionStep, UpkeepPart } from '../domain/retention';
import { Retention } from '../domain/retention-rounds';

/** Deletes expired audit log entries in every retention round. */
@Injectable()
export class AuditRetention implements UpkeepPart, OnApplicationBootstrap {
  readonly kind = 'audit_log';

  constructor(
    private readonly retention: Retention,
    private readonly audit: AuditLogService,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.addUpkeep(this);
  }

  async step(_: string | null, limit: number): Promise<RetentionStep> {
    const deleted = await this.audit.expire(limit);
    return { deleted, next: deleted === limit ? 'more' : null };
  }
}
