import { Injectable } from '@nestjs/common';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply, PlatformError } from '../../../infra/cloud-api/cloud-api-reply';
import type { Sender } from '../../accounts/domain/sender';
import type { Answer, ThrottleScope } from '../domain/answer';
import { MessageSender } from '../domain/message-sender.port';
import type { OutgoingMessage } from '../domain/outgoing-message';
import { toWireContent, toWireRecipient } from './wire-message';

const PACE_EXCEEDED = 130429;
const PAIR_EXCEEDED = 131056;
/** Failures without a stated reason: they may be one recipient's own. The other outages speak of the platform. */
const UNSTATED_FAILURES: readonly number[] = [1, 131000];
/** Real ids have less than 100 characters, and an index could not hold longer ones. */
const LONGEST_ID = 512;
const LONGEST_TEXT = 2000;
const LARGEST_CODE = 2 ** 31 - 1;

/** Sends over the Cloud API: `POST /{phone-number-id}/messages`. */
@Injectable()
export class CloudApiMessageSender extends MessageSender {
  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async send(sender: Sender, message: OutgoingMessage): Promise<Answer> {
    const reply = await this.client.call({
      method: 'POST',
      path: `/${sender.phoneNumberId}/messages`,
      accessToken: sender.accessToken,
      canStillSend: message.canStillSend,
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...toWireRecipient(message.to),
        ...toWireContent(message.content),
        biz_opaque_callback_data: message.callbackData,
      },
    });
    return toAnswer(reply);
  }
}

function toAnswer(reply: CloudApiReply): Answer {
  switch (reply.kind) {
    case 'answer': {
      const platformMessageId = acceptedId(reply.body);
      if (platformMessageId) return { kind: 'accepted', platformMessageId: storable(platformMessageId, LONGEST_ID) };
      return { kind: 'unknown', reason: `HTTP ${reply.status} without a message id` };
    }
    case 'refusal':
      return toRefusal(reply.error);
    case 'not_sent':
      return { kind: 'not_sent', reason: reply.reason };
    case 'no_answer':
      return { kind: 'unknown', reason: reply.reason };
  }
}

function toRefusal(error: PlatformError): Answer {
  const message = storable(error.details ? `${error.message}: ${error.details}` : error.message);
  switch (error.class) {
    case 'throttle':
      return { kind: 'throttled', scope: throttleScope(error.code), message, platformCode: error.code };
    case 'outage': {
      const suspect = UNSTATED_FAILURES.includes(error.code) ? 'recipient' : 'platform';
      return { kind: 'outage', suspect, problem: error.problem, message, platformCode: storableCode(error.code) };
    }
    default:
      return {
        kind: 'refused',
        scope: error.class,
        problem: error.problem,
        message,
        platformCode: storableCode(error.code),
      };
  }
}

/** An answer that the database cannot take would be held and tried for ever, and hold up every other. */
function storable(text: string, longest = LONGEST_TEXT): string {
  return text.replaceAll('\u0000', '\uFFFD').slice(0, longest);
}

function storableCode(code: number): number | null {
  return Math.abs(code) <= LARGEST_CODE ? code : null;
}

function throttleScope(code: number): ThrottleScope {
  if (code === PACE_EXCEEDED) return 'pace';
  return code === PAIR_EXCEEDED ? 'pair' : 'account';
}

function acceptedId(body: unknown): string | null {
  const id = (body as { messages?: { id?: unknown }[] } | null)?.messages?.[0]?.id;
  return typeof id === 'string' && id !== '' ? id : null;
}
