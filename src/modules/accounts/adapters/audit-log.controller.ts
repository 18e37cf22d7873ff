import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { AuditLogService } from '../domain/audit-log.service';
import { AuditEntryDto, AuditLogQueryDto } from './audit-log.dto';

/** The audit log over HTTP. */
@ApiTags('API keys')
@Controller('audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Read the audit log',
    description:
      'Records who created, changed, rotated or revoked keys, created or changed accounts and senders, or erased ' +
      'people and conversations. Newest first, kept for two years. A key with `accounts:manage` sees all accounts.',
  })
  @ApiSliceOf(AuditEntryDto)
  @ApiErrors(ValidationFailedError)
  async listAuditLog(@CurrentCaller() caller: Caller, @Query() query: AuditLogQueryDto): Promise<Slice<AuditEntryDto>> {
    const { createdAfter, createdBefore, ...filter } = query;
    const { items, nextCursor } = await this.log.list(caller, {
      ...filter,
      createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
      createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
    });
    return { items: items.map((entry) => AuditEntryDto.from(entry)), nextCursor };
  }
}
