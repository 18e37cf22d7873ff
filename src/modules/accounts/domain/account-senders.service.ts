import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AccountStore } from './account-store.port';
import { DefaultSenderError, OnlySenderError, SenderNotFoundError } from './accounts.errors';
import { activeAccount, lockActiveAccount } from './active-account';
import { AuditLogService } from './audit-log.service';
import type { Sender, SenderFields } from './sender';
import { changedAccess, SenderChecks, withoutOldDisplayNumber } from './sender-checks';
import { SendersService } from './senders.service';

/** A sender, and whether requests that name none use it. */
export interface AccountSender {
  sender: Sender;
  isDefault: boolean;
}

/** A change of a sender; absent fields keep their values. */
export interface SenderChange extends Partial<SenderFields> {
  /** Makes it the default sender instead of another one. */
  default?: true;
}

/** Management of the senders of all accounts, for the operator. */
@Injectable()
export class AccountSendersService {
  constructor(
    private readonly store: AccountStore,
    private readonly senders: SendersService,
    private readonly checks: SenderChecks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLogService,
  ) {}

  /** One sender; throws SenderNotFoundError. */
  async get(accountId: string, senderId: string): Promise<AccountSender> {
    const all = await this.store.sendersOf(accountId);
    const index = all.findIndex(({ id }) => id === senderId);
    if (index < 0) throw new SenderNotFoundError();
    return { sender: all[index]!, isDefault: index === 0 };
  }

  /**
   * Adds a sender, after checking it with the platform unless `skipCheck`; the first one of an account becomes its default. Throws
   * AccountNotFoundError, AccountDeletingError, PhoneNumberTakenError, SenderNotReachableError.
   */
  async create(
    caller: Caller,
    accountId: string,
    fields: SenderFields,
    skipCheck: boolean,
    claim = unkeyedClaim(),
  ): Promise<AccountSender> {
    await activeAccount(this.store, accountId);
    if (!skipCheck) await this.checks.requireReachable(fields);
    const targetId = claim.resourceId;
    await this.unitOfWork.run(async () => {
      await lockActiveAccount(this.store, accountId);
      await claim.seal();
      await this.store.addSender(accountId, targetId, fields);
      await this.audit.record(caller, { accountId, targetId, action: 'sender.created', fields: Object.keys(fields) });
    });
    this.senders.forget();
    return this.get(accountId, targetId);
  }

  /**
   * Changes the given fields; without any, nothing is done or recorded. A change of number, token or app secret is checked with the
   * platform first, unless `skipCheck`. Throws SenderNotFoundError, AccountDeletingError, PhoneNumberTakenError,
   * SenderNotReachableError.
   */
  async change(
    caller: Caller,
    accountId: string,
    senderId: string,
    change: SenderChange,
    skipCheck: boolean,
  ): Promise<AccountSender> {
    const current = await this.get(accountId, senderId);
    await activeAccount(this.store, accountId);
    const changed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (changed.length === 0) return current;
    const { default: makeDefault, ...fields } = change;
    const access = skipCheck ? null : changedAccess(current.sender, fields);
    if (access) await this.checks.requireReachable(access);
    await this.unitOfWork.run(async () => {
      await lockActiveAccount(this.store, accountId);
      const { sender, isDefault } = await this.get(accountId, senderId);
      await this.store.changeSender(senderId, withoutOldDisplayNumber(sender, fields));
      if (makeDefault && !isDefault) await this.store.makeDefault(accountId, senderId);
      const entry = { accountId, targetId: senderId, action: 'sender.changed', fields: changed } as const;
      await this.audit.record(caller, entry);
    });
    this.senders.forget();
    return this.get(accountId, senderId);
  }

  /**
   * Deletes a sender: it stops sending within 2 s, and its number can be used again. Messages and jobs still refer to it. Throws
   * SenderNotFoundError, AccountDeletingError, OnlySenderError, DefaultSenderError.
   */
  async delete(caller: Caller, accountId: string, senderId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.store.lock(accountId);
      const { isDefault } = await this.get(accountId, senderId);
      await activeAccount(this.store, accountId);
      if ((await this.store.sendersOf(accountId)).length === 1) throw new OnlySenderError();
      if (isDefault) throw new DefaultSenderError();
      await this.store.deleteSender(senderId);
      await this.audit.record(caller, { accountId, targetId: senderId, action: 'sender.deleted' });
    });
    this.senders.forget();
  }
}
