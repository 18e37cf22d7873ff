import { z } from 'zod';
import type { CloudApiAccess } from '../../../infra/cloud-api/app-secret-proofs';
import type { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import { AppSubscription, type PresentAppSubscription } from '../domain/app-subscription.port';
import { reasonOf } from './cloud-api-webhook-subscriptions';

const OBJECT = 'whatsapp_business_account';
const subscriptionsSchema = z.object({
  data: z.array(
    z.object({
      object: z.string(),
      callback_url: z.string().optional(),
      active: z.boolean().optional(),
      fields: z.array(z.union([z.string(), z.object({ name: z.string() })])).optional(),
    }),
  ),
});

/** App id and secret, which form the access token of these calls. */
export interface AppCredentials {
  appId: string | undefined;
  appSecret: string;
}

/** The app's subscription over the Graph API, which verifies the address during the call. */
export class CloudApiAppSubscription extends AppSubscription {
  readonly appId: string | null;
  private readonly access: Required<CloudApiAccess>;

  constructor(
    private readonly client: CloudApiClient,
    { appId, appSecret }: AppCredentials,
    private readonly verifyToken: string,
  ) {
    super();
    this.appId = appId ?? null;
    this.access = { accessToken: `${appId}|${appSecret}`, appSecret };
  }

  reportsOn({ appSecret }: Sender): boolean {
    return appSecret === this.access.appSecret;
  }

  async present(): Promise<PresentAppSubscription | string> {
    const { access } = this;
    const reply = await this.client.call({ method: 'GET', path: `/${this.appId}/subscriptions`, access });
    if (reply.kind !== 'answer') return reasonOf(reply);
    const { success, data } = subscriptionsSchema.safeParse(reply.body);
    if (!success) return "the app's subscriptions cannot be read";
    const own = data.data.find(({ object, active }) => object === OBJECT && active !== false);
    const fields = (own?.fields ?? []).map((field) => (typeof field === 'string' ? field : field.name));
    return { callbackUrl: own?.callback_url ?? null, fields: new Set(fields) };
  }

  async subscribe(callbackUrl: string, fields: readonly string[]): Promise<string | null> {
    const reply = await this.client.call({
      method: 'POST',
      path: `/${this.appId}/subscriptions`,
      access: this.access,
      body: {
        object: OBJECT,
        callback_url: callbackUrl,
        verify_token: this.verifyToken,
        include_values: true,
        fields: fields.join(','),
      },
    });
    return reply.kind === 'answer' ? null : reasonOf(reply);
  }
}
