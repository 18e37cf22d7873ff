import { ApiProperty } from '@nestjs/swagger';
import {
  MESSAGING_TIERS,
  type MessagingTier,
  SENDER_QUALITY_RATINGS,
  type SenderProblem,
  type SenderQualityRating,
  TOKEN_PROBLEMS,
} from '../../accounts/domain/sender';
import type { SenderState } from '../domain/sender-states.service';

const TIME = { type: String, format: 'date-time', nullable: true, example: '2026-01-15T09:30:00.000Z' };

/** Why nothing can be sent from a number. */
export class SenderProblemDto {
  @ApiProperty({
    description: 'What the problem is, by the code that recipients and jobs have for it.',
    enum: TOKEN_PROBLEMS,
    example: TOKEN_PROBLEMS[0],
  })
  code: SenderProblem['code'];

  @ApiProperty({
    description: 'What the platform said, and what to do.',
    example: `The platform refuses the access token of this number: Error validating access token. Store a new one with PATCH /accounts/{accountId} (sender.accessToken, and sender.appSecret of its app), or set PLATFORM_ACCESS_TOKEN and PLATFORM_APP_SECRET and restart if the number uses those of the environment.`,
  })
  message: string;
}

/** One phone number that messages are sent from, as it is at the moment. */
export class SenderStateDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The number as people see it; null: not set, and not read from the platform yet.',
    example: '+49 151 23456789',
  })
  displayPhoneNumber: string | null;

  @ApiProperty({ description: "The platform's id of the number.", example: '106540352242922' })
  phoneNumberId: string;

  @ApiProperty({ type: 'integer', description: 'The limit of the number, in messages per second.', example: 80 })
  messagesPerSecond: number;

  @ApiProperty({
    description:
      'Messages per second that leave at most at the moment: less than the limit for a while after the platform throttled, 0 while the operator has stopped sending.',
    example: 68,
  })
  rateNow: number;

  @ApiProperty({
    description: 'People with whom conversations may be started within 24 hours.',
    enum: MESSAGING_TIERS,
    example: '1000',
  })
  messagingTier: MessagingTier;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many of them are used now; null for an unlimited tier, in which nobody is counted.',
    example: 412,
  })
  tierUsed: number | null;

  @ApiProperty({ ...TIME, description: 'When the tier has room for another person; null: now.', example: null })
  roomAt: string | null;

  @ApiProperty({
    type: String,
    enum: SENDER_QUALITY_RATINGS,
    nullable: true,
    description: "The platform's rating of what people think of the messages of this number; null: not rated.",
    example: 'Green',
  })
  qualityRating: SenderQualityRating | null;

  @ApiProperty({
    ...TIME,
    description: 'When the platform last reported a status of a message, up to a minute late; null: never.',
  })
  lastWebhookAt: string | null;

  @ApiProperty({
    description:
      "The platform's webhook fields that are known not to come to this service for this number: without `messages` neither statuses nor answers of people come. `/health/ready` names the reason. Empty: none is missing, as far as is known; without PLATFORM_APP_ID only the address of the business account is looked at.",
    type: [String],
    example: [],
  })
  missingSubscriptions: string[];

  @ApiProperty({
    type: SenderProblemDto,
    nullable: true,
    description: 'The platform refuses the access token of the number; null: it does not, as far as is known.',
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
  @ApiProperty({ description: 'One for each phone number; empty where the account has none.', type: [SenderStateDto] })
  items: SenderStateDto[];
}
