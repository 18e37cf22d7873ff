import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { cursorTime } from '../../../infra/database/keyset-lists.sql';
import { beforeMoment, decodeCursor, encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Expiry, RetentionPart, RetentionStep } from '../../messages/domain/retention';
import { Retention } from '../../messages/domain/retention-rounds';

/** Recording a message updates its conversation, so a locked conversation receives no messages. */
const LOCK = `
SELECT id, ${cursorTime('last_message_at')} AS at FROM conversations
WHERE account_id = $1 AND last_message_at < $2 AND (last_message_at, id) > ($3::timestamptz, $4::uuid)
ORDER BY last_message_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`;

/** `OFFSET 0` makes the planner use an index lookup per conversation instead of scanning the history. */
const EMPTY = `
SELECT c.id FROM unnest($1::uuid[]) AS c (id)
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.id OFFSET 0)`;

const REMOVE = `DELETE FROM conversations WHERE id = ANY($1::uuid[])`;

const FIRST = beforeMoment(new Date(0));

/** Deletes empty conversations whose last message has expired. Skips locked rows, so it never waits or deadlocks. */
@Injectable()
export class ConversationRetention implements RetentionPart, OnApplicationBootstrap {
  readonly kind = 'conversations';

  constructor(
    private readonly retention: Retention,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.add(this);
  }

  step({ accountId, before }: Expiry, cursor: string | null, limit: number): Promise<RetentionStep> {
    const { at, id } = (cursor === null ? null : decodeCursor(cursor)) ?? FIRST;
    return this.unitOfWork.run(async () => {
      const locked = await this.database.rows<TimeCursor>(LOCK, [accountId, before, at, id, limit]);
      const last = locked.at(-1);
      if (!last) return { deleted: 0, next: null };
      const empty = await this.database.rows<{ id: string }>(EMPTY, [locked.map((one) => one.id)]);
      if (empty.length > 0) await this.database.execute(REMOVE, [empty.map((one) => one.id)]);
      return { deleted: empty.length, next: locked.length === limit ? encodeCursor(last) : null };
    });
  }
}
