import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import { TimeFilter } from '../../../infra/http/lists/list-filters.decorators';
import { QueryInteger } from '../../../infra/http/lists/page.dto';
import { IsTimeCursor } from '../../../infra/http/lists/time-cursor.decorator';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../domain/audit-entry';

const ID = { format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' };

/** Query of the audit log. */
export class AuditLogQueryDto {
  @IsTimeCursor()
  cursor?: string;

  @QueryInteger({ min: 1, max: 200, default: 50, description: 'Maximum number of items.' })
  limit = 50;

  @ApiPropertyOptional({ ...ID, description: 'Only entries of this account; for the operator.' })
  @IsOptional()
  @IsUUID()
  accountId?: string;

  @TimeFilter('Only entries at this time or later.')
  createdAfter?: string;

  @TimeFilter('Only entries before this time.')
  createdBefore?: string;
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
      'Id of the key, account, contact or webhook endpoint; the key for console sign-ins; null for a conversation, ' +
      'whose id is derived from the erased number.',
  })
  targetId: string | null;

  @ApiProperty({
    description: 'Names of the changed fields, without values; for `webhook.disabled` the reason.',
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
    description: 'Address of the client; null if unknown.',
    example: '203.0.113.7',
  })
  address: string | null;

  static from({ createdAt, ...entry }: AuditEntry): AuditEntryDto {
    return { ...entry, createdAt: createdAt.toISOString() };
  }
}
