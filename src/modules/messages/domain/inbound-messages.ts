import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { isUuid } from '../../../kernel/uuid';
import type { AnsweredMessage, InboundRecord, MessageChange, RecordedInbound } from './inbound-message';
import { InboundMessageStore, type StoredOriginal } from './inbound-message-store.port';
import { type FlowResponse, flowResponseOf } from './flow-response';

/** How far back edited or revoked messages are searched: the platform repeats reports for a week. */
const LOOKBACK_MS = 35 * 86_400_000;

/** The changes made by recording inbound messages. */
export interface RecordedMessages {
  /** Messages that are new or replace an Unsupported one. */
  recorded: RecordedInbound[];
  /** Further texts by the person: edits, and messages that arrived after their own edit or revocation. */
  otherTexts: InboundRecord[];
  /** Ids of the messages that were revoked. */
  revoked: string[];
}

type Change = InboundRecord & { changes: MessageChange };

/** Records inbound messages. */
@Injectable()
export class InboundMessages {
  constructor(
    private readonly store: InboundMessageStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Records messages and applies edits and revocations, in the surrounding unit of work. Idempotent. An edit or
   * revocation of an unknown message is stored in its place: the platform reports in any order.
   */
  async record(messages: readonly InboundRecord[]): Promise<RecordedMessages> {
    const changes = messages.filter((message): message is Change => message.changes !== null);
    const written = await this.write(messages.filter((message) => message.changes === null));
    if (changes.length === 0) return written;
    const changed = await this.change(changes);
    return {
      recorded: [...written.recorded, ...changed.recorded],
      otherTexts: [...written.otherTexts, ...changed.otherTexts],
      revoked: changed.revoked,
    };
  }

  /**
   * The own messages that these messages of one account reply to, by id of the reply: the quoted message, or the one
   * whose id is the token of an answered form.
   */
  async answered(accountId: string, messages: readonly InboundRecord[]): Promise<Map<string, AnsweredMessage>> {
    const replies = messages.map(({ id, content }) => {
      return { id, platformId: content.replyTo, messageId: tokenId(flowResponseOf(content)) };
    });
    const platformIds = replies.map(({ platformId }) => platformId).filter((id) => id !== undefined);
    const ids = replies.map(({ messageId }) => messageId).filter((id) => id !== undefined);
    if (platformIds.length + ids.length === 0) return new Map();
    const sent = await this.store.sent(accountId, [...new Set(platformIds)], [...new Set(ids)]);
    const byId = new Map(sent.map((one) => [one.id, one]));
    const byPlatformId = new Map(sent.map((one) => [one.platformMessageId, one]));
    const found = replies.map(({ id, platformId, messageId }) => {
      return [id, byPlatformId.get(platformId ?? '') ?? byId.get(messageId ?? '')] as const;
    });
    return new Map(found.filter((one): one is [string, AnsweredMessage] => one[1] !== undefined));
  }

  private async write(messages: readonly InboundRecord[]): Promise<RecordedMessages> {
    if (messages.length === 0) return { recorded: [], otherTexts: [], revoked: [] };
    const superseded = await this.store.superseded(messages, this.since);
    const own = messages.filter(({ id }) => !superseded.has(id));
    const added = await this.store.add(own);
    const readable = own.filter(({ id, type }) => !added.has(id) && type !== 'Unsupported');
    const completed = readable.length > 0 ? await this.store.complete(readable) : new Map<string, object>();
    const recorded = own
      .filter(({ id }) => added.has(id) || completed.has(id))
      .map((message) => ({ ...message, ...completed.get(message.id), isNew: added.has(message.id) }));
    return { recorded, otherTexts: messages.filter(({ id }) => superseded.has(id)), revoked: [] };
  }

  private async change(changes: readonly Change[]): Promise<RecordedMessages> {
    const accountIds = [...new Set(changes.map(({ accountId }) => accountId))];
    const platformIds = [...new Set(changes.map((change) => change.changes.platformMessageId))];
    const found = await this.store.originals(accountIds, platformIds, this.since);
    const originals = new Map(found.map((one) => [keyOf(one), one]));
    const placeholders: InboundRecord[] = [];
    const rewritten = new Map<string, StoredOriginal>();
    const edits: InboundRecord[] = [];
    for (const change of [...changes].sort((a, b) => a.at.getTime() - b.at.getTime())) {
      const { platformMessageId } = change.changes;
      const original = originals.get(keyOf({ ...change, platformMessageId }));
      const after = { ...change, platformMessageId, content: contentAfter(change) };
      if (original === undefined) placeholders.push(after);
      else if (!isLater(change, original)) continue;
      else {
        const isRevoked = change.changes.kind === 'revoke';
        rewritten.set(original.id, {
          ...original,
          type: isRevoked ? original.type : after.type,
          content: after.content,
        });
        edits.push(after);
      }
      originals.set(keyOf(after), rewritten.get(original?.id ?? '') ?? after);
    }
    const added = placeholders.length > 0 ? await this.store.add(placeholders) : new Set<string>();
    // After the insert, because a message that was just added may be rewritten.
    if (rewritten.size > 0) await this.store.rewrite([...rewritten.values()]);
    return {
      recorded: placeholders.filter(({ id }) => added.has(id)).map((message) => ({ ...message, isNew: true })),
      otherTexts: edits,
      revoked: [...rewritten.values()].filter(({ content }) => content.revokedAt).map(({ id }) => id),
    };
  }

  private get since(): Date {
    return new Date(this.clock.now().getTime() - LOOKBACK_MS);
  }
}

/** A flow token that may be the id of a message, which is the default token. */
function tokenId(response: FlowResponse | null): string | undefined {
  const token = response?.flow_token;
  return typeof token === 'string' && isUuid(token) ? token.toLowerCase() : undefined;
}

function contentAfter({ changes, content, at }: Change): InboundRecord['content'] {
  return changes.kind === 'revoke' ? { revokedAt: at.toISOString() } : { ...content, editedAt: at.toISOString() };
}

/** A revocation is final; otherwise the latest edit wins. */
function isLater({ changes, at }: Change, { content }: StoredOriginal): boolean {
  if (content.revokedAt !== undefined) return false;
  return changes.kind === 'revoke' || content.editedAt === undefined || content.editedAt < at.toISOString();
}

function keyOf({ accountId, platformMessageId }: Pick<StoredOriginal, 'accountId' | 'platformMessageId'>): string {
  return `${accountId} ${platformMessageId}`;
}
