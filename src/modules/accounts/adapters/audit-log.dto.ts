import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Length } from 'class-validator';
import { TimeFilter } from '../../../infra/http/lists/list-filters.decorators';
import { QueryInteger } from '../../../infra/http/lists/page.dto';
import { IsTimeCursor } from '../../../infra/http/lists/time-cursor.decorator';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry, type AuditFilter } from '../domain/audit-entry';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };

/** Filters of the audit log. */
export class AuditLogFilterDto {
  @ApiPropertyOptional({ enum: AUDIT_ACTIONS, description: 'Only entries with this action.', example: 'job.paused' })
  @IsOptional()
  @IsIn(AUDIT_ACTIONS)
  action?: AuditAction;

  @ApiPropertyOptional({ description: 'Only actions of the key with this prefix.', example: '1a2b3c4d' })
  @IsOptional()
  @IsString()
  @Length(1, 40)
  keyPrefix?: string;

  @ApiPropertyOptional({ ...ID, description: 'Only entries about the key, account, job, template … with this id.' })
  @IsOptional()
  @IsUUID()
  targetId?: string;

  @ApiPropertyOptional({ ...ID, description: 'Only entries of this account; for the operator.' })
  @IsOptional()
  @IsUUID()
  accountId?: string;

  @TimeFilter('Only entries at this time or later.')
  createdAfter?: string;

  @TimeFilter('Only entries before this time.')
  createdBefore?: string;
}

/** Query of the audit log. */
export class AuditLogQueryDto extends AuditLogFilterDto {
  @IsTimeCursor()
  cursor?: string;

  @QueryInteger({ min: 1, max: 200, default: 50, description: 'Maximum number of items.' })
  limit = 50;
}

/** The filter that a query requests. */
export function auditFilterOf({ createdAfter, createdBefore, ...filter }: AuditLogFilterDto): Partial<AuditFilter> {
  return {
    ...filter,
    createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
    createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
  };
}

/** One entry of the audit log. */
export class AuditEntryDto {
  @ApiProperty({ ...ID, description: 'Id of the entry.' })
  id: string;

  @ApiProperty({ description: 'When it happened.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
  createdAt: string;

  @ApiProperty({ description: 'The recorded action.', enum: AUDIT_ACTIONS, example: 'key.rotated' })
  action: AuditAction;

  @ApiProperty({
    ...ID,
    type: String,
    nullable: true,
    description:
      'Id of the key, account, contact, webhook endpoint, job or template; the key for console sign-ins, the new job for retries; null for ' +
      'settings, for opt-outs, which would name a person, and for a conversation, whose id is derived from the erased number.',
  })
  targetId: string | null;

  @ApiProperty({
    description:
      'Names of the changed fields, without values; for `webhook.disabled` the reason, for a created or retried job its kind.',
    type: [String],
    example: ['scopes'],
  })
  fields: readonly string[];

  @ApiProperty({ ...ID, description: 'The affected account.' })
  accountId: string;

  @ApiProperty({ ...ID, description: 'Account of the acting key; differs from `accountId` if the operator acted.' })
  actorAccountId: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Prefix of the acting key; null for actions of the service itself: the first account and its key, and webhook ' +
      'endpoints that it disables.',
    example: '1a2b3c4d',
  })
  keyPrefix: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the acting key at that time; null: as `keyPrefix`, or recorded by an earlier version.',
    example: 'Campaigns',
  })
  keyName: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Address of the client; null if unknown.',
    example: '203.0.113.7',
  })
  address: string | null;

  static from({ createdAt, ...entry }: AuditEntry): AuditEntryDto {
    return { ...entry, createdAt: createdAt.toISOString() };
  }
}
