import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import type { FieldError } from '../../../kernel/domain-error';
import type { Page, PageRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { Account, AccountChange, AccountDraft } from './account';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError, InvalidFieldsError, OwnAccountError } from './accounts.errors';
import { type AuditedAction, AuditLogService } from './audit-log.service';
import { KeyAuthentication } from './key-authentication.service';
import { Plans } from './plans';
import { type SenderFields, UNSET_SENDER_FIELDS } from './sender';
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

  /** Throws InvalidFieldsError for an unknown plan, PhoneNumberTakenError. */
  async create(caller: Caller, draft: AccountDraft): Promise<Account> {
    refuseIfAny(this.planErrors(draft.plan));
    const id = uuidV7();
    await this.unitOfWork.run(async () => {
      await this.store.add(id, draft);
      await this.audit.record(caller, { ...aboutAccount(id), action: 'account.created', fields: fieldsOf(draft) });
    });
    this.senders.forget();
    return this.get(id);
  }

  /**
   * Changes the given fields. An account without a sender gets one, which needs its phoneNumberId and businessAccountId.
   * Throws AccountNotFoundError, InvalidFieldsError, PhoneNumberTakenError, and OwnAccountError for suspending the
   * caller's own account.
   */
  async change(caller: Caller, id: string, change: AccountChange): Promise<Account> {
    if (id === caller.accountId && change.status === 'Suspended') throw new OwnAccountError();
    await this.unitOfWork.run(async () => {
      const account = await this.get(id);
      const isNewSender = change.sender !== undefined && !account.sender;
      refuseIfAny([...this.planErrors(change.plan), ...(isNewSender ? missingSenderFields(change.sender) : [])]);
      await this.store.change(id, change);
      if (isNewSender) await this.store.addSender(id, wholeSender(change.sender));
      await this.audit.record(caller, { ...aboutAccount(id), action: 'account.changed', fields: fieldsOf(change) });
    });
    this.senders.forget();
    this.authentication.forget();
    return this.get(id);
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

function wholeSender(sender: Partial<SenderFields> = {}): SenderFields {
  const { phoneNumberId = '', businessAccountId = '' } = sender;
  return { ...UNSET_SENDER_FIELDS, ...sender, phoneNumberId, businessAccountId };
}

function refuseIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw new InvalidFieldsError(errors);
}
