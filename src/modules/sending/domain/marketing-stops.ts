import { Injectable } from '@nestjs/common';
import { personOf } from '../../messages/domain/message';
import { MessageHistory } from '../../messages/domain/message-history';
import type { StatusChange } from '../../messages/domain/status-update';
import { type ReportedPreference, OptOutsService } from '../../groups/domain/opt-outs.service';
import type { Answer } from './answer';

/** Problem code if the person has stopped marketing messages from this business. */
const MARKETING_STOPPED = 'marketing_stopped';

/** Records a marketing opt-out when the platform refuses a message because of one, in its answer or a later status. */
@Injectable()
export class MarketingStops {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly history: MessageHistory,
  ) {}

  /** Applies the answer to an attempt sent to `person` at that time. Never rejects. */
  async applyAnswer(accountId: string, person: string, answer: Answer, at: Date): Promise<void> {
    if (answer.kind !== 'refused' || answer.problem !== MARKETING_STOPPED) return;
    // The next refusal repeats a lost opt-out; recording the answer is more important.
    await this.optOuts.applyPreferences(accountId, [stopOf(person, at)]).catch(() => undefined);
  }

  /** Applies statuses, in the surrounding unit of work. */
  async applyChanges(changes: readonly StatusChange[]): Promise<void> {
    const stopped = changes.filter(({ problem }) => problem?.code === MARKETING_STOPPED);
    if (stopped.length === 0) return;
    const messages = await this.history.find(stopped.map(({ messageId }) => messageId));
    const people = new Map(messages.map((message) => [message.id, personOf(message)]));
    // Several accounts are changed in id order, so that transactions do not deadlock.
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
