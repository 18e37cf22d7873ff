import { Injectable, Logger } from '@nestjs/common';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { Sender } from '../../accounts/domain/sender';
import { ReadReceipts } from '../domain/read-receipts.port';

/** Read receipts over the platform's API. */
@Injectable()
export class CloudApiReadReceipts extends ReadReceipts {
  private readonly logger = new Logger('ReadReceipts');

  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async send(sender: Sender, platformMessageId: string, typing: boolean): Promise<boolean> {
    const reply = await this.client.call({
      method: 'POST',
      path: `/${sender.phoneNumberId}/messages`,
      access: sender,
      body: {
        ...{ messaging_product: 'whatsapp', status: 'read', message_id: platformMessageId },
        ...(typing && { typing_indicator: { type: 'text' } }),
      },
    });
    if (reply.kind === 'answer') return true;
    const reason = reply.kind === 'refusal' ? `${reply.error.message} (code ${reply.error.code})` : reply.reason;
    this.logger.warn(`The platform did not accept a read receipt: ${reason}`);
    return false;
  }
}
