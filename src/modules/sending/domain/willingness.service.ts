import { Injectable } from '@nestjs/common';
import { type OutboundMessage, personOf } from '../../chat-history/domain/message';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { TemplatesService } from '../../templates/domain/templates.service';

/** Whether people want the messages that are about to leave. */
@Injectable()
export class Willingness {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Ids of those messages that are not wanted: their people have opted out of all messages, or of marketing if it is that. */
  async unwanted(messages: readonly OutboundMessage[]): Promise<Set<string>> {
    const unwanted = new Set<string>();
    for (const accountId of new Set(messages.map((message) => message.accountId))) {
      const ofAccount = messages.filter((message) => message.accountId === accountId);
      const scopes = await this.optOuts.standing(accountId, ofAccount.map(personOf));
      for (const message of ofAccount) {
        const scope = scopes.get(personOf(message));
        if (scope === 'All' || (scope === 'Marketing' && (await this.isMarketing(message)))) unwanted.add(message.id);
      }
    }
    return unwanted;
  }

  private async isMarketing(message: OutboundMessage): Promise<boolean> {
    if (message.type !== 'Template') return false;
    return (await this.templates.categoryOf(message.revisionId)) === 'Marketing';
  }
}
