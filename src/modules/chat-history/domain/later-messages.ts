import { Injectable } from '@nestjs/common';
import { afterMoment } from '../../../kernel/time-cursor';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { conversationId } from '../../messages/domain/conversation-id';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import { countsAsUnread } from '../../messages/domain/inbound-message';

/** The latest messages that are compared with keywords. */
const MOST_READ = 20;

/** An opt-out from all messages. */
export interface OptOutSince {
  /** When the person last opted out. */
  optedOutAt: Date;
  /** Whether they have written since, more than a keyword: a free-form reply may then answer them. */
  wroteSince: boolean;
}

/** Finds out whether people who have opted out of all messages have written since. */
@Injectable()
export class LaterMessages {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly messages: ConversationMessages,
  ) {}

  /** The opt-out of a person, by phone digits or user id, from all messages; null: none. */
  async since(accountId: string, person: string): Promise<OptOutSince | null> {
    const optedOutAt = await this.optOuts.optedOutAt(accountId, person);
    if (optedOutAt === null) return null;
    return { optedOutAt, wroteSince: await this.wroteAfter(accountId, person, optedOutAt) };
  }

  private async wroteAfter(accountId: string, person: string, at: Date): Promise<boolean> {
    const range = { after: afterMoment(at) };
    const id = conversationId(accountId, person);
    const latest = await this.messages.latestInbound(accountId, id, range, MOST_READ);
    const newest = latest.find((one) => countsAsUnread(one) && one.content?.revokedAt === undefined);
    if (!newest) return false;
    const { type, content } = newest;
    const reads = await this.optOuts.reader(accountId);
    // Messages of one second are in the order of their arrival: what precedes a keyword was not written since.
    if (type === 'Text') return !reads.text(content?.text ?? '');
    return type !== 'Button' || ![content?.text, content?.choice?.id].some((text) => reads.button(text ?? ''));
  }
}
