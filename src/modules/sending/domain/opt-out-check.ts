import { Injectable } from '@nestjs/common';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import type { OptOutScope } from '../../groups/domain/opt-out';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { LaterMessages } from '../../chat-history/domain/later-messages';
import { TemplatesService } from '../../templates/domain/templates.service';

interface Recipient {
  /** The phone number, or the user id if the number is unknown. */
  person: string;
  /** The user id beside the number; null: none. */
  userId: string | null;
}

/** Checks opt-outs before messages are sent. */
@Injectable()
export class OptOutCheck {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly templates: TemplatesService,
    private readonly laterMessages: LaterMessages,
  ) {}

  /** Those of the recipients who have opted out of all messages, or of marketing if the template revision is marketing. */
  async among<R extends Recipient>(
    accountId: string,
    recipients: readonly R[],
    revisionId: string,
  ): Promise<ReadonlySet<R>> {
    const scopes = await this.scopesOf(accountId, recipients);
    const ofMarketing = [...scopes.values()].includes('Marketing') && (await this.isMarketing(revisionId));
    return new Set([...scopes].filter(([, scope]) => scope === 'All' || ofMarketing).map(([recipient]) => recipient));
  }

  /**
   * Ids of messages whose people have opted out of all messages, or of marketing if the message is marketing. An opt-out does not
   * stop a free-form message to a person who has written since: see `mayAnswer`.
   */
  async optedOut(messages: readonly OutboundMessage[]): Promise<Set<string>> {
    const optedOut = new Set<string>();
    for (const accountId of new Set(messages.map((message) => message.accountId))) {
      const ofAccount = messages
        .filter((message) => message.accountId === accountId)
        .map((message) => ({ person: personOf(message), userId: message.contactUserId, message }));
      for (const [{ message }, scope] of await this.scopesOf(accountId, ofAccount)) {
        if (await this.stops(scope, message)) optedOut.add(message.id);
      }
    }
    return optedOut;
  }

  /** Whether a free-form reply may answer a person, by phone digits or user id, despite their opt-out: they have written since. */
  async mayAnswer(accountId: string, person: string): Promise<boolean> {
    return (await this.laterMessages.since(accountId, person))?.wroteSince ?? false;
  }

  private async stops(scope: OptOutScope, message: OutboundMessage): Promise<boolean> {
    if (message.type === 'Template') return scope === 'All' || this.isMarketing(message.revisionId);
    return scope === 'All' && !(await this.mayAnswer(message.accountId, personOf(message)));
  }

  /** The scopes of the recipients who have opted out under one of their identities. */
  private async scopesOf<R extends Recipient>(
    accountId: string,
    recipients: readonly R[],
  ): Promise<Map<R, OptOutScope>> {
    const found = await this.optOuts.scopesByPerson(accountId, recipients.flatMap(keysOf));
    const scopes = new Map<R, OptOutScope>();
    if (found.size === 0) return scopes;
    for (const recipient of recipients) {
      const own = keysOf(recipient).map((key) => found.get(key));
      if (own.includes('All')) scopes.set(recipient, 'All');
      else if (own.includes('Marketing')) scopes.set(recipient, 'Marketing');
    }
    return scopes;
  }

  private async isMarketing(revisionId: string): Promise<boolean> {
    return (await this.templates.categoryOf(revisionId)) === 'Marketing';
  }
}

function keysOf({ person, userId }: Recipient): string[] {
  return userId === null ? [person] : [person, userId];
}
