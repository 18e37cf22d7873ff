import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { csvParts, type CsvRow } from '../../../infra/csv-text';
import { ClientSignal } from '../../../infra/http/edge/client-signal.decorator';
import { ExportsBusyError, FileExports } from '../../../infra/http/edge/file-exports';
import { sendFile } from '../../../infra/http/edge/streamed-file';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { AuditLogService } from '../domain/audit-log.service';
import type { AuditEntry } from '../domain/audit-entry';
import { AuditEntryDto, auditFilterOf, AuditLogFilterDto, AuditLogQueryDto } from './audit-log.dto';

/** The columns of an export. */
const AUDIT_COLUMNS = [
  'createdAt',
  'action',
  'keyName',
  'keyPrefix',
  'address',
  'targetId',
  'fields',
  'accountId',
  'actorAccountId',
  'id',
] as const satisfies readonly (keyof AuditEntryDto)[];

/** The audit log over HTTP. */
@ApiTags('API keys')
@Controller('audit-log')
export class AuditLogController {
  constructor(
    private readonly log: AuditLogService,
    private readonly exports: FileExports,
  ) {}

  @Get()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Read the audit log',
    description:
      'Records who created, paused, resumed, cancelled, changed or retried jobs, changed keys, templates, opt-outs, settings, webhook endpoints, ' +
      'accounts and senders, erased people and conversations, and signed in to the console. Single sends are not in it: `sentBy` of each ' +
      'message names its key. Newest first, kept for two years. A key with `accounts:manage` sees all accounts.',
  })
  @ApiSliceOf(AuditEntryDto)
  @ApiErrors(ValidationFailedError)
  async listAuditLog(@CurrentCaller() caller: Caller, @Query() query: AuditLogQueryDto): Promise<Slice<AuditEntryDto>> {
    const { cursor, limit, ...filter } = query;
    const page = { limit, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await this.log.list(caller, { ...auditFilterOf(filter), ...page });
    return { items: items.map((entry) => AuditEntryDto.from(entry)), nextCursor };
  }

  @Get('export')
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Export the audit log',
    description:
      'Streams the matching entries as CSV, newest first. If the connection breaks, the file is incomplete. One process streams two ' +
      'exports per account at a time; further ones wait, and are refused after 30 s.',
  })
  @ApiOkResponse({
    description: 'One row per entry, after a header with the names of its fields.',
    content: { 'text/csv': { schema: { type: 'string' }, example: AUDIT_COLUMNS.join(',') } },
  })
  @ApiErrors(ValidationFailedError, ExportsBusyError)
  async exportAuditLog(
    @CurrentCaller() caller: Caller,
    @Query() query: AuditLogFilterDto,
    @Res() response: Response,
    @ClientSignal() signal: AbortSignal,
  ): Promise<void> {
    const parts = await this.exports.start(caller.accountId, this.log.parts(caller, auditFilterOf(query)), signal);
    await sendFile(response, {
      type: 'text/csv; charset=utf-8',
      name: 'audit-log.csv',
      content: Readable.from(csvParts(AUDIT_COLUMNS, rowsOf(parts)), { highWaterMark: 1 }),
    });
  }
}

async function* rowsOf(parts: AsyncIterable<AuditEntry[]>): AsyncGenerator<CsvRow[]> {
  for await (const entries of parts) {
    yield entries.map((entry) => {
      const shown = { ...AuditEntryDto.from(entry), fields: entry.fields.join(' ') };
      return AUDIT_COLUMNS.map((column) => shown[column]);
    });
  }
}
