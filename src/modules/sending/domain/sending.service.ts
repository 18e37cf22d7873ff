import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { TemplateMessage } from '../../messages/domain/message';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { TemplatesService } from '../../templates/domain/templates.service';
import { DirectSends } from './direct-sends.service';
import { MessageRejectedError } from './sending.errors';

/** One template message to one person. */
export interface SendRequest {
  /** Gives the message its id; sealed in the transaction that records the message. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  to: string;
  templateName: string;
  languageCode: string;
  values: string[];
  extras: TemplateExtras | null;
  reference: string | null;
  /** Seconds after which it is not sent any more; undefined: what its category allows. */
  validForSeconds?: number;
}

const AUTHENTICATION_VALIDITY_SECONDS = 600;
const VALIDITY_SECONDS = 86_400;

/** Sends one template message and says what became of it. */
@Injectable()
export class SendingService {
  constructor(
    private readonly templates: TemplatesService,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /** Checks the values against the template and sends it: see DirectSends. Throws the template's errors too, and MessageRejectedError. */
  async send(request: SendRequest): Promise<TemplateMessage> {
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    template.checkExtras(request.extras);
    template.checkValues(request.values);
    const seconds = request.validForSeconds ?? validitySeconds(template);
    return this.directSends.send({
      message: this.newMessage(request, template),
      content: { kind: 'template', template: template.fill(request.values, request.extras) },
      validUntil: (createdAt) => new Date(createdAt.getTime() + seconds * 1000),
      refusal: (problem) => new MessageRejectedError(problem, request.claim.resourceId),
      keyId: request.keyId,
      claim: request.claim,
    });
  }

  /** The template message as it is now; null when there is none with this id. */
  async presentState(messageId: string): Promise<TemplateMessage | null> {
    const message = await this.directSends.presentState(messageId);
    return message?.type === 'Template' ? message : null;
  }

  private newMessage(request: SendRequest, template: SendableTemplate): TemplateMessage {
    return {
      type: 'Template',
      id: request.claim.resourceId,
      accountId: request.accountId,
      contactPhone: request.to,
      templateName: template.name,
      languageCode: template.languageCode,
      revisionId: template.revisionId,
      parameters: request.values,
      extras: request.extras,
      reference: request.reference,
      jobId: null,
      rowNumber: null,
      status: 'Queued',
      problem: null,
      platformMessageId: null,
      createdAt: this.clock.now(),
    };
  }
}

function validitySeconds({ category }: SendableTemplate): number {
  return category === 'Authentication' ? AUTHENTICATION_VALIDITY_SECONDS : VALIDITY_SECONDS;
}
