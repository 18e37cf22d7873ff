import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CloudApiClient } from '../../../infra/cloud-api/cloud-api-client';
import type { CloudApiReply, PlatformError } from '../../../infra/cloud-api/cloud-api-reply';
import type { Sender } from '../../accounts/domain/sender';
import type { PlatformTemplate } from '../domain/template';
import type { TemplateDraft } from '../domain/template-draft';
import {
  type PlatformRefusal,
  type PublishAnswer,
  type SubmittedEdit,
  type SubmittedTemplate,
  TemplatePublisher,
} from '../domain/template-publisher.port';
import { wireCategory, wireComponents } from './template-draft-wire';
import { isFailure, readCategory, readStatus, readTemplate, TEMPLATE_FIELDS } from './template-wire';

const MAX_MESSAGE_LENGTH = 1000;

const submittedSchema = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  status: z.string().optional().catch(undefined),
  category: z.string().optional().catch(undefined),
});
const successSchema = z.object({ success: z.literal(true) });

/** Writes templates over the Cloud API: `/{business-account-id}/message_templates` and `/{template-id}`. */
@Injectable()
export class CloudApiTemplatePublisher extends TemplatePublisher {
  constructor(private readonly client: CloudApiClient) {
    super();
  }

  async create(sender: Sender, draft: TemplateDraft): Promise<PublishAnswer<SubmittedTemplate>> {
    const { name, languageCode, category, parameterFormat, messageTtlSeconds } = draft;
    const reply = await this.client.call({
      method: 'POST',
      path: listOf(sender),
      access: sender,
      body: {
        name,
        language: languageCode,
        category: wireCategory(category),
        parameter_format: parameterFormat.toUpperCase(),
        ...(messageTtlSeconds !== undefined && { message_send_ttl_seconds: messageTtlSeconds }),
        components: wireComponents(draft),
      },
    });
    return publishAnswerOf(reply, (body) => {
      const parsed = submittedSchema.safeParse(body);
      if (!parsed.success) return undefined;
      const { id: platformTemplateId, status, category: given } = parsed.data;
      // The platform accepted the template: an unknown status or category must not make this look like a failure.
      const state = { status: readStatus(status ?? '') ?? 'Pending', category: readCategory(given ?? '') ?? category };
      return { platformTemplateId, ...state };
    });
  }

  async edit(sender: Sender, platformTemplateId: string, edit: SubmittedEdit): Promise<PublishAnswer<null>> {
    const { category, messageTtlSeconds, draft } = edit;
    const reply = await this.client.call({
      method: 'POST',
      path: `/${encodeURIComponent(platformTemplateId)}`,
      access: sender,
      body: {
        ...(category !== undefined && { category: wireCategory(category) }),
        ...(messageTtlSeconds !== undefined && { message_send_ttl_seconds: messageTtlSeconds }),
        ...(draft !== undefined && { components: wireComponents(draft) }),
      },
    });
    return publishAnswerOf(reply, successOf);
  }

  async remove(sender: Sender, name: string, platformTemplateId: string): Promise<PublishAnswer<null>> {
    const reply = await this.client.call({
      method: 'DELETE',
      path: listOf(sender),
      access: sender,
      // Without the id, all languages of the name would be deleted.
      query: { hsm_id: platformTemplateId, name },
    });
    return publishAnswerOf(reply, successOf);
  }

  async unpause(sender: Sender, platformTemplateId: string): Promise<PublishAnswer<null>> {
    const reply = await this.client.call({
      method: 'POST',
      path: `/${encodeURIComponent(platformTemplateId)}/unpause`,
      access: sender,
    });
    return publishAnswerOf(reply, successOf);
  }

  async read(sender: Sender, platformTemplateId: string): Promise<PlatformTemplate | null> {
    const reply = await this.client.call({
      method: 'GET',
      path: `/${encodeURIComponent(platformTemplateId)}`,
      access: sender,
      query: { fields: TEMPLATE_FIELDS },
    });
    if (reply.kind !== 'answer') return null;
    const read = readTemplate(reply.body);
    return isFailure(read) ? null : read;
  }
}

function listOf({ businessAccountId }: Sender): string {
  return `/${encodeURIComponent(businessAccountId)}/message_templates`;
}

/** An unreadable response counts as `unanswered`: the request may have been executed. */
function publishAnswerOf<Done>(reply: CloudApiReply, read: (body: unknown) => Done | undefined): PublishAnswer<Done> {
  switch (reply.kind) {
    case 'answer': {
      const result = read(reply.body);
      return result === undefined ? { kind: 'unanswered' } : { kind: 'done', result };
    }
    case 'refusal':
      if (reply.error.class === 'throttle') return { kind: 'throttled', message: messageOf(reply.error) };
      if (reply.error.class === 'outage') return { kind: 'unanswered' };
      return { kind: 'refused', refusal: refusalOf(reply.error) };
    case 'not_sent':
      return { kind: 'not_reached' };
    case 'no_answer':
      return { kind: 'unanswered' };
  }
}

function successOf(body: unknown): null | undefined {
  return successSchema.safeParse(body).success ? null : undefined;
}

function refusalOf(error: PlatformError): PlatformRefusal {
  const { problem, code, subcode } = error;
  return { problem, message: messageOf(error), platformCode: code, platformSubcode: subcode ?? null };
}

/** The platform's message, shortened and without characters that cannot be stored. */
function messageOf({ message, details }: PlatformError): string {
  const text = details === undefined ? message : `${message}: ${details}`;
  return text.replace(/\0|\p{Cs}/gu, '\uFFFD').slice(0, MAX_MESSAGE_LENGTH);
}
