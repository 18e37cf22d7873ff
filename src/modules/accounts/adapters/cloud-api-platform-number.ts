import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import { type NumberState, NumberUnavailableError, PlatformNumber } from '../domain/platform-number.port';
import type { MessagingTier, Sender, SenderQualityRating } from '../domain/sender';

const FIELDS = 'throughput,quality_rating,whatsapp_business_manager_messaging_limit';

/** Messages per second of each throughput level, as documented by the platform. */
const PACES: Readonly<Partial<Record<string, number>>> = { STANDARD: 80, HIGH: 1000 };

/** The platform's former tier of 50, and a number without a tier yet, have the lowest tier of this service. */
const TIERS: Readonly<Partial<Record<string, MessagingTier>>> = {
  TIER_NOT_SET: '250',
  TIER_50: '250',
  TIER_250: '250',
  TIER_1K: '1000',
  TIER_2K: '2000',
  TIER_10K: '10000',
  TIER_100K: '100000',
  TIER_UNLIMITED: 'Unlimited',
};

const QUALITY_RATINGS: Readonly<Partial<Record<string, SenderQualityRating>>> = {
  GREEN: 'Green',
  YELLOW: 'Yellow',
  RED: 'Red',
};

/** A field of an unexpected form is treated as absent. */
const numberSchema = z.object({
  throughput: z.object({ level: z.string().catch('') }).catch({ level: '' }),
  quality_rating: z.string().catch(''),
  whatsapp_business_manager_messaging_limit: z.string().catch(''),
});

/** Reads the limits and the quality of a number over the platform's HTTP API. */
@Injectable()
export class CloudApiPlatformNumber extends PlatformNumber {
  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async stateOf(sender: Sender): Promise<NumberState> {
    const reply = await this.client.call({
      method: 'GET',
      path: `/${encodeURIComponent(sender.phoneNumberId)}`,
      accessToken: sender.accessToken,
      query: { fields: FIELDS },
    });
    if (reply.kind === 'refusal') throw new NumberUnavailableError(`${reply.error.message} (code ${reply.error.code})`);
    if (reply.kind !== 'answer') throw new NumberUnavailableError(reply.reason);
    const number = numberSchema.safeParse(reply.body);
    if (!number.success) throw new NumberUnavailableError('The response has an unexpected form');
    const { throughput, quality_rating: quality, whatsapp_business_manager_messaging_limit: tier } = number.data;
    return {
      messagesPerSecond: PACES[throughput.level] ?? null,
      messagingTier: TIERS[tier] ?? null,
      qualityRating: QUALITY_RATINGS[quality] ?? null,
    };
  }
}
