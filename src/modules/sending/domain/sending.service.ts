import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import type { Sender } from '../../accounts/domain/sender';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import type { Person } from '../../groups/domain/opt-out';
import type { TemplateMessage } from '../../messages/domain/message';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import type { TemplateExtras } from '../../templates/domain/template-extras';
import { TemplateNotFoundError } from '../../templates/domain/templates.errors';
import { TemplatesService } from '../../templates/domain/templates.service';
import { DirectSends } from './direct-sends';

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
  /** It replies to what the person wrote. */
  isReply: boolean;
  reference: string | null;
  /** Undefined: the default sender. */
  senderId?: string | undefined;
  /** Seconds until a waiting message expires; undefined: the default of its category. */
  validForSeconds?: number;
}

const AUTHENTICATION_VALIDITY_SECONDS = 600;
const VALIDITY_SECONDS = 86_400;

/** Sends one template message and returns the outcome. */
@Injectable()
export class SendingService {
  constructor(
    private readonly senders: SendersService,
    private readonly templates: TemplatesService,
    private readonly numbers: KnownNumbers,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the values against the template and sends it: see DirectSends. Also throws SenderNotFoundError, the template's errors
   * and RecipientIdNotAllowedError.
   */
  async send(request: SendRequest): Promise<TemplateMessage> {
    const sender = await this.senderOf(request);
    const template = await this.templates.sendable(sender, request.templateName, request.languageCode);
    const { values, extras, claim } = request;
    const filling = { values, extras, messageId: claim.resourceId };
    const filled = template.prepare(filling, request.recipient.userId !== null, this.clock.now());
    const person = await this.numbers.identified(request.accountId, request.recipient);
    return this.directSends.send({
      message: this.newMessage(request, sender, person, template),
      content: { kind: 'template', template: filled },
      validity: { seconds: request.validForSeconds ?? validitySeconds(template) },
      keyId: request.keyId,
      claim,
    });
  }

  /** The current template message; null if none has this id. */
  async currentState(messageId: string): Promise<TemplateMessage | null> {
    const message = await this.directSends.currentState(messageId);
    return message?.type === 'Template' ? message : null;
  }

  /** Templates belong to the business accounts of senders: an account without a sender has none. */
  private async senderOf({ accountId, senderId, templateName }: SendRequest): Promise<Sender> {
    try {
      return await this.senders.ofAccount(accountId, senderId);
    } catch (error) {
      throw error instanceof AccountWithoutSenderError
        ? new TemplateNotFoundError(templateName, { hasNoSender: true })
        : error;
    }
  }

  private newMessage(
    request: SendRequest,
    sender: Sender,
    person: Person,
    template: SendableTemplate,
  ): TemplateMessage {
    return {
      type: 'Template',
      id: request.claim.resourceId,
      accountId: request.accountId,
      senderId: sender.id,
      contactPhone: person.phone,
      contactUserId: person.userId,
      templateName: template.name,
      languageCode: template.languageCode,
      revisionId: template.revisionId,
      parameters: request.values,
      extras: request.isReply ? { ...request.extras, isReply: true } : request.extras,
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
