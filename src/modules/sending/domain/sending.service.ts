import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import type { Person } from '../../groups/domain/opt-out';
import type { TemplateMessage } from '../../messages/domain/message';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { TemplatesService } from '../../templates/domain/templates.service';
import { DirectSends } from './direct-sends';
import { MessageRejectedError } from './sending.errors';

/** One template message to one person. */
export interface SendRequest {
  /** Gives the message its id; sealed in the transaction that records the message. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  /** By phone number or user id. */
  recipient: Person;
  templateName: string;
  languageCode: string;
  values: string[];
  extras: TemplateExtras | null;
  reference: string | null;
  /** Seconds until a waiting message expires; undefined: the default of its category. */
  validForSeconds?: number;
}

const AUTHENTICATION_VALIDITY_SECONDS = 600;
const VALIDITY_SECONDS = 86_400;

/** Sends one template message and returns the outcome. */
@Injectable()
export class SendingService {
  constructor(
    private readonly templates: TemplatesService,
    private readonly numbers: KnownNumbers,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the values against the template and sends it: see DirectSends. Also throws the template's errors,
   * RecipientIdNotAllowedError and MessageRejectedError.
   */
  async send(request: SendRequest): Promise<TemplateMessage> {
    const template = await this.templates.sendable(request.accountId, request.templateName, request.languageCode);
    template.checkExtras(request.extras, this.clock.now());
    template.checkValues(request.values);
    if (request.recipient.userId !== null) template.checkUserIds();
    const person = await this.numbers.identified(request.accountId, request.recipient);
    const seconds = request.validForSeconds ?? validitySeconds(template);
    return this.directSends.send({
      message: this.newMessage(request, person, template),
      content: {
        kind: 'template',
        template: template.fill({
          values: request.values,
          extras: request.extras,
          messageId: request.claim.resourceId,
        }),
      },
      validUntil: (createdAt) => new Date(createdAt.getTime() + seconds * 1000),
      refusal: (problem) => new MessageRejectedError(problem, request.claim.resourceId),
      keyId: request.keyId,
      claim: request.claim,
    });
  }

  /** The current template message; null if none has this id. */
  async currentState(messageId: string): Promise<TemplateMessage | null> {
    const message = await this.directSends.currentState(messageId);
    return message?.type === 'Template' ? message : null;
  }

  private newMessage(request: SendRequest, person: Person, template: SendableTemplate): TemplateMessage {
    return {
      type: 'Template',
      id: request.claim.resourceId,
      accountId: request.accountId,
      contactPhone: person.phone,
      contactUserId: person.userId,
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
