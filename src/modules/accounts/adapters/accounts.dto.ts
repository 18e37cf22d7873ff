import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { DEFAULT_COUNTRY, DefaultCountryField } from '../../../infra/http/validation/default-country.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import {
  type Account,
  ACCOUNT_STATUSES,
  ALL_ACCOUNT_STATUSES,
  type AccountChange,
  type AccountDraft,
  type AccountStatus,
} from '../domain/account';
import { MESSAGING_TIERS, type MessagingTier, type Sender, UNSET_SENDER_FIELDS } from '../domain/sender';

const PLATFORM_ID = /^\d{1,32}$/;
const DIGITS_ONLY = { message: '$property must be 1 to 32 digits' };
const TOKEN = /^[\x21-\x7e]+$/;
const NO_BLANKS = { message: '$property must be printable ASCII characters without blanks' };

const PHONE_NUMBER_ID = { description: "The platform's id of the phone number.", example: '109876543210001' };
/** The business account of a sender. */
export const BUSINESS_ACCOUNT_ID = {
  description: "The platform's id of the business account.",
  example: '204876543210002',
};
const DISPLAY_PHONE_NUMBER = {
  description: "The number in display format; if not set here, the platform's format.",
  type: String,
  nullable: true,
  maxLength: 32,
  example: '+1 555 010 0001',
};
const MESSAGES_PER_SECOND = {
  description: 'Messages per second that the number may send.',
  type: 'integer',
  minimum: 1,
  maximum: 100_000,
  example: 80,
} as const;
const MESSAGING_TIER = {
  description: 'Number of people with whom the business may start conversations in 24 hours.',
  enum: MESSAGING_TIERS,
  example: 'Unlimited',
};
const ACCESS_TOKEN = {
  description: 'Write-only. Null or absent: the value of the environment is used.',
  type: String,
  nullable: true,
  writeOnly: true,
  example: 'EAAG-example-token',
};
const APP_SECRET = {
  description: 'Write-only. Null or absent: the value of the environment is used.',
  type: String,
  nullable: true,
  writeOnly: true,
  example: 'app-secret-example',
};
const CONFIGURED = (what: string): string =>
  `${what}; overrides the platform's limit. null restores the platform's limit.`;
const MARKETING_MESSAGES_API = {
  description:
    "Whether templates of category Marketing go through the platform's Marketing Messages API (`/marketing_messages`) " +
    'instead of the Cloud API (`/messages`). The business account must have accepted its terms. Applies to all ' +
    'messages sent from now on, including those of running jobs.',
  default: false,
};

const NAME = { description: 'Name of the account.', example: 'Shop GmbH', maxLength: 100 };
const PLAN = {
  description: 'Name of the plan, which sets the request rate and the row limit of files.',
  example: 'Business',
};
const STATUS = {
  description: 'A suspended account gets 403 for every request and sends nothing.',
  enum: ACCOUNT_STATUSES,
  example: 'Active',
};
const SENDING_PAUSED = {
  description: 'The emergency stop: true stops sending within 2 s.',
  example: false,
};
/** `skipCheck` of requests that store a sender. */
export const SKIP_CHECK = {
  description: 'Store the sender without checking its phone number and access token with the platform.',
  default: false,
};
const BUSINESS_PORTFOLIO_ID = {
  description: 'Business portfolio to which the messaging tier applies.',
  type: String,
  nullable: true,
  example: '300876543210003',
};

/** The portfolio of one sender. */
export const SENDER_PORTFOLIO_ID = {
  ...BUSINESS_PORTFOLIO_ID,
  description: "Business portfolio of this sender, if it differs from the account's. The messaging tier applies to it.",
};

/** The fields of a sender that are always optional. */
class OptionalSenderFieldsDto {
  @ApiPropertyOptional(DISPLAY_PHONE_NUMBER)
  @IsOptional()
  @IsString()
  @MaxLength(32)
  displayPhoneNumber?: string | null;

  @ApiPropertyOptional({ ...MESSAGES_PER_SECOND, nullable: true, description: CONFIGURED('Messages per second') })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100_000)
  messagesPerSecond?: number | null;

  @ApiPropertyOptional({
    ...MESSAGING_TIER,
    nullable: true,
    description: CONFIGURED('People the business may write to first in 24 hours'),
  })
  @IsOptional()
  @IsIn(MESSAGING_TIERS)
  messagingTier?: MessagingTier | null;

  @ApiPropertyOptional(ACCESS_TOKEN)
  @IsOptional()
  @IsString()
  @Matches(TOKEN, NO_BLANKS)
  @MaxLength(2000)
  accessToken?: string | null;

  @ApiPropertyOptional(APP_SECRET)
  @IsOptional()
  @IsString()
  @Matches(TOKEN, NO_BLANKS)
  @MaxLength(200)
  appSecret?: string | null;

  @ApiPropertyOptional(SENDER_PORTFOLIO_ID)
  @IsOptional()
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  businessPortfolioId?: string | null;

  @ApiPropertyOptional(MARKETING_MESSAGES_API)
  @MayBeAbsent()
  @IsBoolean()
  marketingMessagesApi?: boolean;
}

/** `sender` of `POST /accounts`. */
export class CreateSenderDto extends OptionalSenderFieldsDto {
  @ApiProperty(PHONE_NUMBER_ID)
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  phoneNumberId: string;

  @ApiProperty(BUSINESS_ACCOUNT_ID)
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  businessAccountId: string;
}

/** `sender` of `PATCH /accounts/{id}`, its default sender; absent fields keep their values, but a first sender needs its two ids. */
export class ChangeSenderDto extends OptionalSenderFieldsDto {
  @ApiPropertyOptional(PHONE_NUMBER_ID)
  @MayBeAbsent()
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  phoneNumberId?: string;

  @ApiPropertyOptional(BUSINESS_ACCOUNT_ID)
  @MayBeAbsent()
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  businessAccountId?: string;
}

/** The fields of an account that are always optional. */
class OptionalAccountFieldsDto {
  @ApiPropertyOptional(SENDING_PAUSED)
  @MayBeAbsent()
  @IsBoolean()
  sendingPaused?: boolean;

  @DefaultCountryField({ nullable: true })
  defaultCountry?: string | null;

  @ApiPropertyOptional(BUSINESS_PORTFOLIO_ID)
  @IsOptional()
  @IsString()
  @Matches(PLATFORM_ID, DIGITS_ONLY)
  businessPortfolioId?: string | null;

  @ApiPropertyOptional(SKIP_CHECK)
  @MayBeAbsent()
  @IsBoolean()
  skipCheck?: boolean;
}

/** Body of `POST /accounts`. */
export class CreateAccountDto extends OptionalAccountFieldsDto {
  @ApiProperty(NAME)
  @IsString()
  @Matches(/\S/, { message: 'name must not be empty' })
  @MaxLength(100)
  name: string;

  @ApiProperty(PLAN)
  @IsString()
  plan: string;

  @ApiPropertyOptional({
    type: CreateSenderDto,
    nullable: true,
    description: 'Absent: the account cannot send yet.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => CreateSenderDto)
  sender?: CreateSenderDto | null;
}

/** Body of `PATCH /accounts/{id}`; absent fields keep their values. */
export class ChangeAccountDto extends OptionalAccountFieldsDto {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsString()
  @Matches(/\S/, { message: 'name must not be empty' })
  @MaxLength(100)
  name?: string;

  @ApiPropertyOptional(PLAN)
  @MayBeAbsent()
  @IsString()
  plan?: string;

  @ApiPropertyOptional(STATUS)
  @MayBeAbsent()
  @IsIn(ACCOUNT_STATUSES)
  status?: AccountStatus;

  @ApiPropertyOptional({
    description: 'Fields of the default sender to change. A first sender needs its two ids.',
    type: ChangeSenderDto,
  })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => ChangeSenderDto)
  sender?: ChangeSenderDto;
}

/** The fields of a new account, with its defaults. */
export function accountDraft(body: CreateAccountDto): AccountDraft {
  const { name, plan, sender, sendingPaused = false, defaultCountry = null, businessPortfolioId = null } = body;
  return {
    name,
    plan,
    status: 'Active',
    sendingPaused,
    defaultCountry,
    businessPortfolioId,
    sender: sender ? { ...UNSET_SENDER_FIELDS, ...sender } : null,
  };
}

/** The fields of the account that are present in the body. */
export function accountChange({ sender, skipCheck: _, ...fields }: ChangeAccountDto): AccountChange {
  return { ...fields, ...(sender && { sender: { ...sender } }) };
}

/** A sender without its secrets. */
export class SenderDto {
  @ApiProperty(PHONE_NUMBER_ID)
  phoneNumberId: string;

  @ApiProperty(BUSINESS_ACCOUNT_ID)
  businessAccountId: string;

  @ApiProperty(DISPLAY_PHONE_NUMBER)
  displayPhoneNumber: string | null;

  @ApiProperty(MESSAGES_PER_SECOND)
  messagesPerSecond: number;

  @ApiProperty(MESSAGING_TIER)
  messagingTier: MessagingTier;

  @ApiProperty({ ...MARKETING_MESSAGES_API, default: undefined, example: false })
  marketingMessagesApi: boolean;

  static from(sender: Sender): SenderDto {
    const { phoneNumberId, businessAccountId, displayPhoneNumber } = sender;
    const { messagesPerSecond, messagingTier, marketingMessagesApi } = sender;
    const ids = { phoneNumberId, businessAccountId, displayPhoneNumber };
    return { ...ids, messagesPerSecond, messagingTier, marketingMessagesApi };
  }
}

/** An account as the operator sees it. */
export class AccountDto {
  @ApiProperty({ description: 'Id of the account.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty(NAME)
  name: string;

  @ApiProperty(PLAN)
  plan: string;

  @ApiProperty({
    ...STATUS,
    enum: ALL_ACCOUNT_STATUSES,
    description: `${STATUS.description} \`Deleting\`: a deleted account, until its data is gone.`,
  })
  status: AccountStatus;

  @ApiProperty(SENDING_PAUSED)
  sendingPaused: boolean;

  @ApiProperty({ ...DEFAULT_COUNTRY, nullable: true })
  defaultCountry: string | null;

  @ApiProperty(BUSINESS_PORTFOLIO_ID)
  businessPortfolioId: string | null;

  @ApiProperty({
    type: SenderDto,
    nullable: true,
    description: 'The default sender; null: the account cannot send yet.',
  })
  sender: SenderDto | null;

  @ApiProperty({
    description: 'When the account was created.',
    format: 'date-time',
    example: '2026-01-31T12:00:00.000Z',
  })
  createdAt: string;

  @ApiProperty({
    description: 'When the account was last changed.',
    format: 'date-time',
    example: '2026-01-31T12:00:00.000Z',
  })
  updatedAt: string;

  static from(account: Account): AccountDto {
    const { id, name, plan, status, sendingPaused, defaultCountry, businessPortfolioId } = account;
    return {
      id,
      name,
      plan,
      status,
      sendingPaused,
      defaultCountry,
      businessPortfolioId,
      sender: account.sender && SenderDto.from(account.sender),
      createdAt: account.createdAt.toISOString(),
      updatedAt: account.updatedAt.toISOString(),
    };
  }
}
