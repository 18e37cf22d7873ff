import { Injectable } from '@nestjs/common';
import { type OutboundMessage, personOf } from '../../messages/domain/message';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { TemplatesService } from '../../templates/domain/templates.service';

/** Whether people have opted out of the messages that are about to leave. */
@Injectable()
export class OptOutCheck {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Those of these people who have opted out of all messages, or of marketing if the template with this revision is that. */
  async among(accountId: string, people: readonly string[], revisionId: string): Promise<Set<string>> {
    const scopes = await this.optOuts.standing(accountId, people);
    const ofMarketing = [...scopes.values()].includes('Marketing') && (await this.isMarketing(revisionId));
    return new Set([...scopes].filter(([, scope]) => scope === 'All' || ofMarketing).map(([person]) => person));
  }

  /** Ids of those messages whose people have opted out of all messages, or of marketing if it is that. */
  async optedOut(messages: readonly OutboundMessage[]): Promise<Set<string>> {
    const optedOut = new Set<string>();
    for (const accountId of new Set(messages.map((message) => message.accountId))) {
      const ofAccount = messages.filter((message) => message.accountId === accountId);
      const scopes = await this.optOuts.standing(accountId, ofAccount.map(personOf));
      for (const message of ofAccount) {
        const scope = scopes.get(personOf(message));
        const ofMarketing = scope === 'Marketing' && message.type === 'Template';
        if (scope === 'All' || (ofMarketing && (await this.isMarketing(message.revisionId)))) optedOut.add(message.id);
      }
    }
    return optedOut;
  }

  private async isMarketing(revisionId: string): Promise<boolean> {
    return (await this.templates.categoryOf(revisionId)) === 'Marketing';
  }
}
