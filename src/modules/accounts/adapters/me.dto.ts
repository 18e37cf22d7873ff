import { ApiProperty } from '@nestjs/swagger';
import { DEFAULT_COUNTRY, DefaultCountryField } from '../../../infra/http/validation/default-country.decorator';
import { type Caller, type Scope, SCOPES } from '../../../kernel/caller';
import { type Account, ACCOUNT_STATUSES, type AccountStatus } from '../domain/account';
import type { Plan } from '../domain/plans';

/** Summary of the caller's account. */
export class OwnAccountDto {
  @ApiProperty({ description: 'Id of the account.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty({ description: 'Name of the account.', example: 'Shop GmbH' })
  name: string;

  @ApiProperty({
    description: 'A suspended account gets 403 for every request and sends nothing.',
    enum: ACCOUNT_STATUSES,
    example: 'Active',
  })
  status: AccountStatus;

  @ApiProperty({ description: 'Whether the operator has stopped sending.', example: false })
  sendingPaused: boolean;

  @ApiProperty({ ...DEFAULT_COUNTRY, nullable: true })
  defaultCountry: string | null;
}

/** Body of `PATCH /me`; absent fields keep their values. */
export class ChangeMeDto {
  @DefaultCountryField({ nullable: true })
  defaultCountry?: string | null;
}

/** What the plan allows. */
export class LimitsDto implements Plan {
  @ApiProperty({ description: 'Sustained requests per second.', example: 100 })
  requestsPerSecond: number;

  @ApiProperty({ type: 'integer', description: 'Burst size in requests.', example: 200 })
  burst: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows allowed in one uploaded file, and contacts in one group send.',
    example: 500_000,
  })
  maxRowsPerFile: number;

  @ApiProperty({ type: 'integer', description: 'Active API keys.', example: 100 })
  maxApiKeys: number;

  @ApiProperty({ type: 'integer', description: 'Contact groups.', example: 1000 })
  maxGroups: number;

  @ApiProperty({
    type: 'integer',
    description: 'Contacts. People who write to you become contacts beyond it, too.',
    example: 2_000_000,
  })
  maxContacts: number;

  @ApiProperty({ type: 'integer', description: 'Webhook endpoints.', example: 20 })
  maxWebhookEndpoints: number;

  @ApiProperty({ type: 'integer', description: 'Unfinished bulk jobs.', example: 500 })
  maxOpenJobs: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Events that may wait for one webhook endpoint, counted in bodies; then it is disabled with `backlog_full`.',
    example: 2_000_000,
  })
  maxWaitingEvents: number;

  @ApiProperty({
    type: 'integer',
    description: 'Bodies per second that a replay of a webhook endpoint redelivers.',
    example: 200,
  })
  replayedPerSecond: number;
}

/** Who the request's key belongs to and what it may do. */
export class MeDto {
  @ApiProperty({ description: 'Account of the key.', type: OwnAccountDto })
  account: OwnAccountDto;

  @ApiProperty({ description: 'Plan of the account.', example: 'Business' })
  plan: string;

  @ApiProperty({ description: 'Limits of the plan.', type: LimitsDto })
  limits: LimitsDto;

  @ApiProperty({
    description: 'Scopes of the key.',
    enum: SCOPES,
    isArray: true,
    example: ['messaging:send', 'messaging:read'],
  })
  scopes: readonly Scope[];

  @ApiProperty({ description: 'Public prefix that identifies the key.', example: '1a2b3c4d' })
  keyPrefix: string;

  static from(caller: Caller, account: Account, limits: Plan): MeDto {
    const { id, name, status, sendingPaused, defaultCountry } = account;
    return {
      account: { id, name, status, sendingPaused, defaultCountry },
      plan: account.plan,
      limits,
      scopes: caller.scopes,
      keyPrefix: caller.keyPrefix,
    };
  }
}
