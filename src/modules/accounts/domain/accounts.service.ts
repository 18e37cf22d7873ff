import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import type { Page, PageRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { Account, AccountChange, AccountDraft } from './account';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError, InvalidFieldsError, OwnAccountError } from './accounts.errors';
import { activeAccount, lockActiveAccount } from './active-account';
import { type AuditedAction, AuditLogService } from './audit-log.service';
import { KeyAuthentication } from './key-authentication';
import { Plans } from './plans';
import { type SenderFields, UNSET_SENDER_FIELDS } from './sender';
import { changedAccess, SenderChecks, withoutOldDisplayNumber } from './sender-checks';
import { SendersService } from './senders.service';

/** Management of all accounts, for the operator. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly store: AccountStore,
    private readonly plans: Plans,
    private readonly senders: SendersService,
    private readonly authentication: KeyAuthentication,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLogService,
    private readonly checks: SenderChecks,
  ) {}

  /** Newest first. */
  page(request: PageRequest): Promise<Page<Account>> {
    return this.store.page(request);
  }

  /** Throws AccountNotFoundError. */
  async get(id: string): Promise<Account> {
    const account = await this.store.byId(id);
    if (!account) throw new AccountNotFoundError();
    return account;
  }

  /**
   * Creates an account, after checking the sender with the platform unless `skipCheck`.
   * Throws InvalidFieldsError for an unknown plan, PhoneNumberTakenError, SenderNotReachableError.
   */
  async create(caller: Caller, draft: AccountDraft, skipCheck: boolean, claim = unkeyedClaim()): Promise<Account> {
    throwIfAny(this.planErrors(draft.plan));
    if (draft.sender && !skipCheck) await this.checks.requireReachable(draft.sender);
    const id = claim.resourceId;
    await this.unitOfWork.run(async () => {
      await claim.seal();
      await this.store.add(id, draft);
      await this.audit.record(caller, { ...aboutAccount(id), action: 'account.created', fields: fieldsOf(draft) });
    });
    this.senders.forget();
    return this.get(id);
  }

  /**
   * Changes the given fields; without any, nothing is done or recorded. A new sender requires phoneNumberId and businessAccountId. A change of number, token or app secret is
   * checked with the platform first, unless `skipCheck`.
   * Throws AccountNotFoundError, AccountDeletingError, InvalidFieldsError, PhoneNumberTakenError, SenderNotReachableError, and
   * OwnAccountError for suspending the caller's own account.
   */
  async change(caller: Caller, id: string, change: AccountChange, skipCheck: boolean): Promise<Account> {
    if (id === caller.accountId && change.status === 'Suspended') throw new OwnAccountError();
    const current = await activeAccount(this.store, id);
    throwIfAny(this.changeErrors(current, change));
    if (fieldsOf(change).length === 0) return current;
    const access = skipCheck ? null : changedAccess(current.sender, change.sender);
    if (access) await this.checks.requireReachable(access);
    await this.unitOfWork.run(async () => {
      const account = await lockActiveAccount(this.store, id);
      throwIfAny(this.changeErrors(account, change));
      const { sender } = change;
      const changed = sender && account.sender && { sender: withoutOldDisplayNumber(account.sender, sender) };
      await this.store.change(id, { ...change, ...changed });
      if (sender && !account.sender) await this.store.addSender(id, uuidV7(), newSender(sender));
      await this.audit.record(caller, { ...aboutAccount(id), action: 'account.changed', fields: fieldsOf(change) });
    });
    this.senders.forget();
    this.authentication.forget();
    return this.get(id);
  }

  /**
   * Deletes an account: its keys become invalid and it stops sending within 2 s; its data is deleted in the background, from two minutes
   * later on. The audit entry belongs to the caller's account. Throws AccountNotFoundError, OwnAccountError.
   */
  async delete(caller: Caller, id: string): Promise<Account> {
    if (id === caller.accountId) throw new OwnAccountError();
    await this.unitOfWork.run(async () => {
      await this.store.lock(id);
      const { status } = await this.get(id);
      if (status === 'Deleting') return;
      await this.store.beginDeletion(id);
      await this.audit.record(caller, { action: 'account.deleted', targetId: id });
    });
    this.senders.forget();
    this.authentication.forget();
    return this.get(id);
  }

  private changeErrors({ sender }: Account, change: AccountChange): FieldError[] {
    const missing = change.sender !== undefined && !sender ? missingSenderFields(change.sender) : [];
    return [...this.planErrors(change.plan), ...missing];
  }

  private planErrors(plan: string | undefined): FieldError[] {
    if (plan === undefined || this.plans.has(plan)) return [];
    return [{ field: 'plan', code: 'not_allowed', message: `plan must be one of: ${this.plans.names().join(', ')}.` }];
  }
}

function aboutAccount(id: string): Pick<AuditedAction, 'accountId' | 'targetId'> {
  return { accountId: id, targetId: id };
}

/** The fields that are set, those of the sender as `sender.accessToken`. */
function fieldsOf({ sender, ...fields }: AccountDraft | AccountChange): string[] {
  const set = (values: object) =>
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [...set(fields), ...set(sender ?? {}).map((name) => `sender.${name}`)];
}

function missingSenderFields(sender: Partial<SenderFields> = {}): FieldError[] {
  return (['phoneNumberId', 'businessAccountId'] as const)
    .filter((field) => sender[field] === undefined)
    .map((field) => ({
      field: `sender.${field}`,
      code: 'required',
      message: `sender.${field} is required for a new sender.`,
    }));
}

function newSender(sender: Partial<SenderFields>): SenderFields {
  const { phoneNumberId = '', businessAccountId = '' } = sender;
  return { ...UNSET_SENDER_FIELDS, ...sender, phoneNumberId, businessAccountId };
}

function throwIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw new InvalidFieldsError(errors);
}
