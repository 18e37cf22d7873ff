import { z } from 'zod';
import type { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply } from '../../../infra/cloud-api/cloud-api-reply';
import type { PresentSubscription } from '../domain/webhook-subscription';
import { type SubscriptionAccess, WebhookSubscriptions } from '../domain/webhook-subscriptions.port';

/** One entry per app subscribed to the business account; without an override, the app's own address applies. */
const appsSchema = z.object({ data: z.array(z.object({ override_callback_uri: z.string().optional() })) });

/** Subscriptions over the Cloud API, which verifies the address during the call. */
export class CloudApiWebhookSubscriptions extends WebhookSubscriptions {
  constructor(
    private readonly client: CloudApiClient,
    private readonly verifyToken: string,
  ) {
    super();
  }

  async present(businessAccountId: string, access: SubscriptionAccess): Promise<PresentSubscription | string> {
    const path = `/${businessAccountId}/subscribed_apps`;
    const reply = await this.client.call({ method: 'GET', path, access });
    if (reply.kind !== 'answer') return reasonOf(reply);
    const { success, data } = appsSchema.safeParse(reply.body);
    if (!success) return 'the list of subscribed apps cannot be read';
    const addresses = data.data.flatMap((app) => app.override_callback_uri ?? []);
    return { exists: data.data.length > 0, addresses };
  }

  async subscribe(businessAccountId: string, access: SubscriptionAccess, callbackUrl: string): Promise<string | null> {
    const reply = await this.client.call({
      method: 'POST',
      path: `/${businessAccountId}/subscribed_apps`,
      access,
      body: { override_callback_uri: callbackUrl, verify_token: this.verifyToken },
    });
    return reply.kind === 'answer' ? null : reasonOf(reply);
  }

  async unsubscribe(businessAccountId: string, access: SubscriptionAccess): Promise<string | null> {
    const reply = await this.client.call({ method: 'DELETE', path: `/${businessAccountId}/subscribed_apps`, access });
    return reply.kind === 'answer' ? null : reasonOf(reply);
  }
}

/** Why a call failed, as text. */
export function reasonOf(reply: Exclude<CloudApiReply, { kind: 'answer' }>): string {
  return reply.kind === 'refusal' ? `${reply.error.message} (code ${reply.error.code})` : reply.reason;
}
