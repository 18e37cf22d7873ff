import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { unkeyedClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import type { Page, PageRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Account, AccountChange, AccountDraft } from './account';
import { AccountStore } from './account-store.port';
import {
  AccountDeletingError,
  AccountNotFoundError,
  InvalidFieldsError,
  OwnAccountError,
  SenderNotReachableError,
} from './accounts.errors';
import { type AuditedAction, AuditLogService } from './audit-log.service';
import { KeyAuthentication } from './key-authentication';
import { Plans } from './plans';
import { type NumberAccess, NumberRefusedError, NumberUnavailableError, PlatformNumber } from './platform-number.port';
import { type Sender, type SenderFields, UNSET_SENDER_FIELDS } from './sender';
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
    private readonly number: PlatformNumber,
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
    if (draft.sender && !skipCheck) await this.requireReachable(draft.sender);
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
    const current = await this.get(id);
    if (current.status === 'Deleting') throw new AccountDeletingError();
    throwIfAny(this.changeErrors(current, change));
    if (fieldsOf(change).length === 0) return current;
    const access = skipCheck ? null : changedAccess(current.sender, change.sender);
    if (access) await this.requireReachable(access);
    await this.unitOfWork.run(async () => {
      const account = await this.get(id);
      const isNewSender = change.sender !== undefined && !account.sender;
      throwIfAny(this.changeErrors(account, change));
      await this.store.change(id, withoutOldDisplayNumber(account, change));
      if (isNewSender) await this.store.addSender(id, newSender(change.sender));
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
      const { status } = await this.get(id);
      if (status === 'Deleting') return;
      await this.store.beginDeletion(id);
      await this.audit.record(caller, { action: 'account.deleted', targetId: id });
    });
    this.senders.forget();
    this.authentication.forget();
    return this.get(id);
  }

  private async requireReachable(access: NumberAccess): Promise<void> {
    try {
      await this.number.stateOf(access);
    } catch (error) {
      if (!(error instanceof NumberUnavailableError)) throw error;
      throw new SenderNotReachableError(access.phoneNumberId, error.message, error instanceof NumberRefusedError);
    }
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

/** The access to check with the platform after a change of number, token or app secret; null for other changes. */
function changedAccess(before: Sender | null, change: Partial<SenderFields> = {}): NumberAccess | null {
  const { accessToken = before?.accessToken ?? null, appSecret = before?.appSecret ?? null } = change;
  if ([change.phoneNumberId, change.accessToken, change.appSecret].every((value) => value === undefined)) return null;
  const phoneNumberId = change.phoneNumberId ?? before?.phoneNumberId;
  if (phoneNumberId === undefined) return null;
  return { phoneNumberId, accessToken, appSecret };
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

function newSender(sender: Partial<SenderFields> = {}): SenderFields {
  const { phoneNumberId = '', businessAccountId = '' } = sender;
  return { ...UNSET_SENDER_FIELDS, ...sender, phoneNumberId, businessAccountId };
}

function throwIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw new InvalidFieldsError(errors);
}

/** Clears the display number if the phone number changes; it is read from the platform again. */
function withoutOldDisplayNumber({ sender }: Account, change: AccountChange): AccountChange {
  const phoneNumberId = change.sender?.phoneNumberId;
  if (!sender || phoneNumberId === undefined || phoneNumberId === sender.phoneNumberId) return change;
  return { ...change, sender: { displayPhoneNumber: null, ...change.sender } };
}
