import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  MESSAGING_TIERS,
  type MessagingTier,
  SENDER_QUALITY_RATINGS,
  type SenderProblem,
  type SenderQualityRating,
  TOKEN_PROBLEMS,
} from '../../accounts/domain/sender';
import { IS_DEFAULT, SENDER_ID } from '../../accounts/adapters/account-senders.dto';
import { BUSINESS_ACCOUNT_ID } from '../../accounts/adapters/accounts.dto';
import type { SenderState } from '../domain/sender-states.service';

const TIME = { type: String, format: 'date-time', nullable: true, example: '2026-01-15T09:30:00.000Z' };

/** Why nothing can be sent from a number. */
export class SenderProblemDto {
  @ApiProperty({
    description: 'Error code of the problem, as used by recipients and jobs.',
    enum: TOKEN_PROBLEMS,
    example: TOKEN_PROBLEMS[0],
  })
  code: SenderProblem['code'];

  @ApiProperty({
    description: "The platform's message and the remedy.",
    example: `The platform refuses the access token of this number: Error validating access token. Store a new one with PATCH /accounts/{accountId}/senders/{senderId} (accessToken, and appSecret of its app), or set PLATFORM_ACCESS_TOKEN and PLATFORM_APP_SECRET and restart if the number uses those of the environment.`,
  })
  message: string;
}

/** The current state of a phone number that messages are sent from. */
export class SenderStateDto {
  @ApiPropertyOptional({ ...SENDER_ID, description: 'Id of the sender; present if the account has several.' })
  id?: string;

  @ApiPropertyOptional({ ...IS_DEFAULT, description: `${IS_DEFAULT.description} Present if the account has several.` })
  default?: boolean;

  @ApiPropertyOptional({
    ...BUSINESS_ACCOUNT_ID,
    description:
      "The platform's id of the business account whose templates it can send; present if the account has several senders.",
  })
  businessAccountId?: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The number in display format; null: neither set nor read from the platform yet.',
    example: '+49 151 23456789',
  })
  displayPhoneNumber: string | null;

  @ApiProperty({ description: "The platform's id of the number.", example: '106540352242922' })
  phoneNumberId: string;

  @ApiProperty({ type: 'integer', description: 'Limit of the number, in messages per second.', example: 80 })
  messagesPerSecond: number;

  @ApiProperty({
    description:
      'Maximum messages per second right now: reduced for a while after the platform throttles, 0 while the operator ' +
      'has paused sending.',
    example: 68,
  })
  rateNow: number;

  @ApiProperty({
    description: 'Number of people with whom conversations may be started within 24 hours.',
    enum: MESSAGING_TIERS,
    example: '1000',
  })
  messagingTier: MessagingTier;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many of these are used; null for an unlimited tier, which is not counted.',
    example: 412,
  })
  tierUsed: number | null;

  @ApiProperty({ ...TIME, description: 'When the tier allows another person; null: now.', example: null })
  roomAt: string | null;

  @ApiProperty({
    type: String,
    enum: SENDER_QUALITY_RATINGS,
    nullable: true,
    description: "The platform's rating of recent feedback on messages from this number; null: not rated.",
    example: 'Green',
  })
  qualityRating: SenderQualityRating | null;

  @ApiProperty({
    ...TIME,
    description: 'When the platform last reported a message status, up to a minute late; null: never.',
  })
  lastWebhookAt: string | null;

  @ApiProperty({
    description:
      'Webhook fields known not to reach this service for this number; without `messages`, neither statuses nor ' +
      'inbound messages arrive. `/health/ready` gives the reason. Empty: none known to be missing; without ' +
      "PLATFORM_APP_ID, only the business account's callback URL is checked.",
    type: [String],
    example: [],
  })
  missingSubscriptions: string[];

  @ApiProperty({
    type: SenderProblemDto,
    nullable: true,
    description: 'Set while the platform refuses the access token of the number; null: no known problem.',
    example: null,
  })
  problem: SenderProblemDto | null;

  static from({
    sender,
    rateNow,
    tierUsed,
    roomAt,
    qualityRating,
    lastWebhookAt,
    missingSubscriptions,
    problem,
  }: SenderState): SenderStateDto {
    return {
      displayPhoneNumber: sender.displayPhoneNumber,
      phoneNumberId: sender.phoneNumberId,
      messagesPerSecond: sender.messagesPerSecond,
      rateNow,
      messagingTier: sender.messagingTier,
      tierUsed,
      roomAt: roomAt?.toISOString() ?? null,
      qualityRating,
      lastWebhookAt: lastWebhookAt?.toISOString() ?? null,
      missingSubscriptions: [...missingSubscriptions],
      problem,
    };
  }
}

/** The senders of the account. */
export class SenderStatesDto {
  @ApiProperty({
    description: 'One per phone number, the default sender first; empty if the account has none.',
    type: [SenderStateDto],
  })
  items: SenderStateDto[];

  static from(states: readonly SenderState[]): SenderStatesDto {
    if (states.length < 2) return { items: states.map((state) => SenderStateDto.from(state)) };
    return { items: states.map((state) => ({ ...identityOf(state), ...SenderStateDto.from(state) })) };
  }
}

/** The state of a sender, as the operator sees it. */
export class AccountSenderStateDto extends SenderStateDto {
  @ApiProperty(SENDER_ID)
  declare id: string;

  @ApiProperty(IS_DEFAULT)
  declare default: boolean;

  @ApiProperty(BUSINESS_ACCOUNT_ID)
  declare businessAccountId: string;
}

/** The senders of any account. */
export class AccountSenderStatesDto {
  @ApiProperty({
    description: 'One per phone number, the default sender first; empty if the account has none.',
    type: [AccountSenderStateDto],
  })
  items: AccountSenderStateDto[];

  static from(states: readonly SenderState[]): AccountSenderStatesDto {
    return { items: states.map((state) => ({ ...identityOf(state), ...SenderStateDto.from(state) })) };
  }
}

function identityOf({ sender: { id, businessAccountId }, isDefault }: SenderState) {
  return { id, default: isDefault, businessAccountId };
}
