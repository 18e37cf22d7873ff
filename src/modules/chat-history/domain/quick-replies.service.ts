import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { QuickReplyLimitError, QuickReplyNotFoundError } from './chat-history.errors';
import { MAX_QUICK_REPLIES, type QuickReply, type QuickReplyFields } from './quick-reply';
import { QuickReplyStore } from './quick-reply-store.port';

/** The quick replies of an account. */
@Injectable()
export class QuickRepliesService {
  constructor(
    private readonly store: QuickReplyStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** All of the account, by name. */
  list(accountId: string): Promise<QuickReply[]> {
    return this.store.list(accountId);
  }

  /** Throws QuickReplyNotFoundError. */
  async get(accountId: string, id: string): Promise<QuickReply> {
    return orThrow(await this.store.find(accountId, id));
  }

  /** Throws QuickReplyNameTakenError, QuickReplyLimitError. */
  async create(accountId: string, fields: QuickReplyFields, claim = unkeyedClaim()): Promise<QuickReply> {
    const now = this.clock.now();
    const created = { id: claim.resourceId, accountId, ...fields, createdAt: now, updatedAt: now };
    await this.unitOfWork.run(async () => {
      await claim.seal();
      if (!(await this.store.add(created, MAX_QUICK_REPLIES))) throw new QuickReplyLimitError();
    });
    return created;
  }

  /** Throws QuickReplyNotFoundError, QuickReplyNameTakenError. */
  async change(accountId: string, id: string, fields: Partial<QuickReplyFields>): Promise<QuickReply> {
    return orThrow(await this.store.change(accountId, id, fields));
  }

  /** Throws QuickReplyNotFoundError. */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.store.remove(accountId, id))) throw new QuickReplyNotFoundError();
  }
}

function orThrow(found: QuickReply | null): QuickReply {
  if (!found) throw new QuickReplyNotFoundError();
  return found;
}
