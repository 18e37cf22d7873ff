import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { InboundRecord, MessageChange, RecordedInbound } from './inbound-message';
import { InboundMessageStore, type StoredOriginal } from './inbound-message-store.port';

/** How far back an edited or revoked message is searched: the platform repeats its reports for a week. */
const LOOK_BACK_MS = 35 * 86_400_000;

/** What recording inbound messages changed. */
export interface RecordedMessages {
  /** Messages that were not recorded before, or could not be read. */
  recorded: RecordedInbound[];
  /** Further messages whose text the person wrote: edits, and messages that arrived after their own edit or revoke. */
  alsoSaid: InboundRecord[];
  /** Ids of the messages that were revoked. */
  revoked: string[];
}

type Change = InboundRecord & { changes: MessageChange };

/** The record of what people wrote to accounts. */
@Injectable()
export class InboundMessages {
  constructor(
    private readonly store: InboundMessageStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Records messages and applies edits and revokes, in the surrounding unit of work. What was recorded before changes nothing.
   * An edit or revoke whose message is unknown takes its place: the platform may report them in any order.
   */
  async record(messages: readonly InboundRecord[]): Promise<RecordedMessages> {
    const written = await this.write(messages.filter(({ changes }) => changes === null));
    const changed = await this.change(messages.filter(isChange));
    return {
      recorded: [...written.recorded, ...changed.recorded],
      alsoSaid: [...written.alsoSaid, ...changed.alsoSaid],
      revoked: changed.revoked,
    };
  }

  /** The revisions of the templates that the account sent under these platform ids, by platform id. */
  async answeredRevisions(accountId: string, platformIds: readonly string[]): Promise<Map<string, string>> {
    return platformIds.length === 0 ? new Map() : this.store.sentRevisions(accountId, platformIds, this.since);
  }

  private async write(messages: readonly InboundRecord[]): Promise<RecordedMessages> {
    if (messages.length === 0) return { recorded: [], alsoSaid: [], revoked: [] };
    const superseded = await this.store.superseded(messages, this.since);
    const own = messages.filter(({ id }) => !superseded.has(id));
    const added = await this.store.add(own);
    const readable = own.filter(({ id, type }) => !added.has(id) && type !== 'Unsupported');
    const completed = readable.length > 0 ? await this.store.complete(readable) : new Map<string, object>();
    const recorded = own
      .filter(({ id }) => added.has(id) || completed.has(id))
      .map((message) => ({ ...message, ...completed.get(message.id), isNew: added.has(message.id) }));
    return { recorded, alsoSaid: messages.filter(({ id }) => superseded.has(id)), revoked: [] };
  }

  private async change(changes: readonly Change[]): Promise<RecordedMessages> {
    if (changes.length === 0) return { recorded: [], alsoSaid: [], revoked: [] };
    const accountIds = [...new Set(changes.map(({ accountId }) => accountId))];
    const platformIds = [...new Set(changes.map((change) => change.changes.platformMessageId))];
    const found = await this.store.originals(accountIds, platformIds, this.since);
    const originals = new Map(found.map((one) => [keyOf(one), one]));
    const standIns: InboundRecord[] = [];
    const rewritten = new Map<string, StoredOriginal>();
    const edits: InboundRecord[] = [];
    for (const change of [...changes].sort((a, b) => a.at.getTime() - b.at.getTime())) {
      const { platformMessageId } = change.changes;
      const original = originals.get(keyOf({ ...change, platformMessageId }));
      const after = { ...change, platformMessageId, content: contentAfter(change) };
      if (original === undefined) standIns.push(after);
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
    const added = standIns.length > 0 ? await this.store.add(standIns) : new Set<string>();
    // Afterwards, as a message that was just added may have been changed again.
    if (rewritten.size > 0) await this.store.rewrite([...rewritten.values()]);
    return {
      recorded: standIns.filter(({ id }) => added.has(id)).map((message) => ({ ...message, isNew: true })),
      alsoSaid: edits,
      revoked: [...rewritten.values()].filter(({ content }) => content.revokedAt).map(({ id }) => id),
    };
  }

  private get since(): Date {
    return new Date(this.clock.now().getTime() - LOOK_BACK_MS);
  }
}

function isChange(message: InboundRecord): message is Change {
  return message.changes !== null;
}

function contentAfter({ changes, content, at }: Change): InboundRecord['content'] {
  return changes.kind === 'revoke' ? { revokedAt: at.toISOString() } : { ...content, editedAt: at.toISOString() };
}

/** A revoke is final; of edits the latest counts. */
function isLater({ changes, at }: Change, { content }: StoredOriginal): boolean {
  if (content.revokedAt !== undefined) return false;
  return changes.kind === 'revoke' || content.editedAt === undefined || content.editedAt < at.toISOString();
}

function keyOf({ accountId, platformMessageId }: Pick<StoredOriginal, 'accountId' | 'platformMessageId'>): string {
  return `${accountId} ${platformMessageId}`;
}
