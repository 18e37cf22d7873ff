import { Injectable } from '@nestjs/common';
import { personOf } from '../../messages/domain/message';
import { MessageHistory } from '../../messages/domain/message-history.service';
import type { StatusChange } from '../../messages/domain/status-update';
import { type ReportedPreference, OptOutsService } from '../../groups/domain/opt-outs.service';
import type { Answer } from './answer';

/** The platform's word for a person who has stopped marketing from this business. */
const MARKETING_STOPPED = 'marketing_stopped';

/** Records an opt-out of marketing where the platform refuses a message for it, at once or by a later status. */
@Injectable()
export class MarketingStops {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly history: MessageHistory,
  ) {}

  /** Applies the answer to an attempt that left for `person` at that time. Never rejects. */
  async applyAnswer(accountId: string, person: string, answer: Answer, at: Date): Promise<void> {
    if (answer.kind !== 'refused' || answer.problem !== MARKETING_STOPPED) return;
    // What is lost here the next refusal brings again; the answer itself is worth more.
    await this.optOuts.applyPreferences(accountId, [stopOf(person, at)]).catch(() => undefined);
  }

  /** Applies statuses, in the surrounding unit of work. */
  async applyChanges(changes: readonly StatusChange[]): Promise<void> {
    const stopped = changes.filter(({ problem }) => problem?.code === MARKETING_STOPPED);
    if (stopped.length === 0) return;
    const messages = await this.history.find(stopped.map(({ messageId }) => messageId));
    const people = new Map(messages.map((message) => [message.id, personOf(message)]));
    // Rows are locked in one order everywhere: whoever changes several accounts does so in the order of their ids.
    for (const accountId of [...new Set(stopped.map((change) => change.accountId))].sort()) {
      const ofAccount = stopped.filter((change) => change.accountId === accountId);
      const reported = ofAccount.flatMap(({ messageId, at }): ReportedPreference[] => {
        const person = people.get(messageId);
        return person === undefined ? [] : [stopOf(person, at)];
      });
      await this.optOuts.applyPreferences(accountId, reported);
    }
  }
}

function stopOf(person: string, at: Date): ReportedPreference {
  const isPhone = /^\d+$/.test(person);
  return { phone: isPhone ? person : null, userId: isPhone ? null : person, stop: true, at };
}
