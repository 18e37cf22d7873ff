import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import {
  type NumberAccess,
  NumberRefusedError,
  type NumberState,
  NumberUnavailableError,
  PlatformNumber,
} from '../domain/platform-number.port';
import { type MessagingTier, type SenderQualityRating, tokenProblem } from '../domain/sender';
import { PlatformCredentials } from './platform-credentials';

const FIELDS = 'display_phone_number,throughput,quality_rating,whatsapp_business_manager_messaging_limit';
/** Whether the number is also used in the WhatsApp Business app; older platform versions reject the field. */
const APP_FIELD = 'is_on_biz_app';
/** The platform's code for an unknown field. */
const INVALID_PARAMETER = 100;
/** Messages per second of a number that is also used in the app, whatever its throughput level. */
const APP_MESSAGES_PER_SECOND = 20;

/** Messages per second of each throughput level, as documented by the platform. */
const MESSAGES_PER_SECOND: Readonly<Partial<Record<string, number>>> = { STANDARD: 80, HIGH: 1000 };

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

/** Invalid fields are treated as absent. */
const numberSchema = z.object({
  display_phone_number: z.string().min(1).max(32).nullable().catch(null),
  throughput: z.object({ level: z.string().catch('') }).catch({ level: '' }),
  quality_rating: z.string().catch(''),
  whatsapp_business_manager_messaging_limit: z.string().catch(''),
  is_on_biz_app: z.boolean().catch(false),
});

/** Reads a number over the platform's HTTP API. */
@Injectable()
export class CloudApiPlatformNumber extends PlatformNumber {
  constructor(
    private readonly client: CloudApiClient,
    private readonly environment: PlatformCredentials,
  ) {
    super();
  }

  async stateOf(access: NumberAccess): Promise<NumberState> {
    let reply = await this.read(access, `${FIELDS},${APP_FIELD}`);
    if (reply.kind === 'refusal' && reply.error.code === INVALID_PARAMETER) reply = await this.read(access, FIELDS);
    if (reply.kind === 'refusal') {
      const { problem, message, code, class: kind } = reply.error;
      const reason = `${message} (code ${code})`;
      if (kind === 'throttle' || kind === 'outage') throw new NumberUnavailableError(reason);
      throw new NumberRefusedError(reason, tokenProblem(problem, message), code);
    }
    if (reply.kind !== 'answer') throw new NumberUnavailableError(reply.reason);
    const number = numberSchema.safeParse(reply.body);
    if (!number.success) throw new NumberUnavailableError('The response has an unexpected format');
    const { throughput, quality_rating: quality, whatsapp_business_manager_messaging_limit: tier } = number.data;
    const byLevel = MESSAGES_PER_SECOND[throughput.level] ?? null;
    return {
      messagesPerSecond: number.data.is_on_biz_app ? APP_MESSAGES_PER_SECOND : byLevel,
      messagingTier: TIERS[tier] ?? null,
      qualityRating: QUALITY_RATINGS[quality] ?? null,
      displayPhoneNumber: number.data.display_phone_number,
    };
  }

  private read({ phoneNumberId, accessToken, appSecret }: NumberAccess, fields: string): Promise<CloudApiReply> {
    return this.client.call({
      method: 'GET',
      path: `/${encodeURIComponent(phoneNumberId)}`,
      access: {
        accessToken: accessToken ?? this.environment.accessToken,
        appSecret: appSecret ?? this.environment.appSecret,
      },
      query: { fields },
    });
  }
}
