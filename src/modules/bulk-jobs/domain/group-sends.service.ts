import { Injectable } from '@nestjs/common';
import type { GroupMember, MemberPage } from '../../groups/domain/contact-group';
import { GroupsService } from '../../groups/domain/groups.service';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { personKey } from '../../groups/domain/opt-out';
import { SeenPeople } from '../../groups/domain/seen-people';
import { Plans } from '../../accounts/domain/plans';
import type { InvalidRow, ReadBatch, ReadRow, RowExtras } from '../../recipient-files/domain/file-rows';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import { TooManyRowsError } from '../../recipient-files/domain/recipient-files.errors';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { JobAudience } from './bulk-job';
import { GroupEmptyError } from './bulk-jobs.errors';
import { checkedRows } from './checked-rows';
import {
  type AttributeValue,
  type ContactValues,
  valuesByAttribute,
  valuesByParameter,
  type ValuesByNumber,
} from './contact-values';
import { identifiedMembers } from './identified-rows';
import type { CreatedJob, JobSource } from './job-intake';
import { JobIntakes, type JobOrigin, type JobRequest } from './job-intakes';
import { excludesPeople, LeftOutPeople } from './left-out-people';
import { CHUNK_SIZE } from './recipient-chunk';
import { type RecipientCheck, RecipientChecks } from './recipient-checks';

/** What a recipient may have of its own from an attribute of the contact. */
export interface FromAttributes extends Partial<
  Record<Exclude<keyof RowExtras, 'cards' | 'quickReplyPayloads'> | 'reference', string>
> {
  /** By the index of the button. */
  quickReplyPayloads?: Readonly<Record<string, string>>;
}

/** A request to send to the contacts of groups. */
export interface GroupSend extends JobRequest, JobAudience {
  /** One for each placeholder; null: the contact's parameters, with `parameterDefaults`. */
  values: readonly AttributeValue[] | null;
  /** For placeholders for which the contact has no parameter. */
  parameterDefaults: ValuesByNumber;
  /** Names of attributes by the fields that they fill. */
  fromAttributes: FromAttributes;
}

/** Creates jobs from contact groups. */
@Injectable()
export class GroupSendsService {
  constructor(
    private readonly groups: GroupsService,
    private readonly leftOut: LeftOutPeople,
    private readonly files: RecipientFiles,
    private readonly intakes: JobIntakes,
    private readonly checks: RecipientChecks,
    private readonly plans: Plans,
    private readonly numbers: KnownNumbers,
  ) {}

  /**
   * Creates a job with all current contacts of the groups, each person once, atomically. Rejects with the errors of the template and the
   * groups, GroupEmptyError, TooManyRowsError beyond the plan's limit, JobNotFoundError and RecipientsExpiredError for `notReachedBy`,
   * and ParameterMismatchError if a placeholder has no value for any contact or a payload has no quick-reply button.
   */
  async sendToGroup(given: GroupSend): Promise<CreatedJob> {
    const request = { ...given, ownExtras: hasExtras(given) };
    await using intake = await this.intakes.open(request, await this.originOf(request));
    for await (const batch of this.recipients(request, intake.source)) await intake.add(batch);
    return await intake.publish(0, []);
  }

  /** Returns a preview of the send; creates nothing. Rejects with the same errors. */
  async checkGroup(given: GroupSend): Promise<RecipientCheck> {
    const request = { ...given, ownExtras: hasExtras(given) };
    const source = await this.intakes.source(request, await this.originOf(request));
    const counts = { leftOut: 0 };
    const check = await this.checks.check(source, this.recipients(request, source, counts));
    return { ...check, duplicateRows: 0, warnings: [], ...(excludesPeople(request) && counts) };
  }

  private async originOf(request: GroupSend): Promise<JobOrigin> {
    const { accountId, groupIds, excludeGroupIds, notReachedBy } = request;
    const counts: number[] = [];
    for (const groupId of groupIds) counts.push((await this.groups.get(accountId, groupId)).contactCount);
    for (const groupId of excludeGroupIds) await this.groups.get(accountId, groupId);
    if (!excludesPeople(request)) this.checkRows(request, Math.max(...counts));
    return {
      ...{ kind: 'Group', fileName: null, retryOf: null, retry: null, uploadHash: null },
      groupId: groupIds.length === 1 ? groupIds[0]! : null,
      audience: groupIds.length === 1 && !excludesPeople(request) ? null : { groupIds, excludeGroupIds, notReachedBy },
    };
  }

  private checkRows({ plan }: GroupSend, contacts: number): void {
    const { maxRowsPerFile: limit } = this.plans.of(plan);
    if (contacts <= limit) return;
    const message = `The group has ${contacts} contacts, and your plan allows ${limit} recipients per job. Split the group, or choose a larger plan.`;
    throw new TooManyRowsError(message, limit);
  }

  /** The recipients, those that cannot be sent to as invalid rows. */
  private recipients(request: GroupSend, source: JobSource, counts = { leftOut: 0 }): AsyncGenerator<ReadBatch> {
    return checkedRows(this.contacts(request, source.template, counts), source.rules);
  }

  /** Reads all members with their values; rejects after the last one if a placeholder has no value for any of them. */
  private async *contacts(
    request: GroupSend,
    template: SendableTemplate,
    counts: { leftOut: number },
  ): AsyncGenerator<ReadBatch> {
    const { valueCount } = template;
    const values = request.values
      ? valuesByAttribute(request.values, template.valueTitles())
      : valuesByParameter(request.parameterDefaults, valueCount);
    const { quickReplyPayloads = {}, ...others } = request.fromAttributes;
    template.checkQuickReplies(Object.keys(quickReplyPayloads));
    const fields: [field: string, attribute: string][] = [
      ...Object.entries(others),
      ...Object.entries(quickReplyPayloads).map(([button, name]): [string, string] => [
        `quickReplyPayloads.${button}`,
        name,
      ]),
    ];
    const attributes = [...new Set([...values.attributes, ...fields.map(([, attribute]) => attribute)])];
    const reached = await this.leftOut.reachedBy(request);
    // A number that moves from one contact to another during the read must not become a recipient twice.
    const seen = new SeenPeople();
    const filled = new Array<boolean>(valueCount).fill(false);
    let count = 0;
    let after: string | null = null;
    do {
      const page: MemberPage = await this.pageAfter(request, after, attributes);
      const batch: ReadBatch = { rows: [], invalidRows: [] };
      counts.leftOut += page.excluded;
      for (const member of await identifiedMembers(this.numbers, request.accountId, page.members)) {
        const keys = [member.phone, member.userId].filter((key) => key !== null);
        if (keys.some((key) => reached.has(key))) {
          counts.leftOut++;
          continue;
        }
        if (!seen.add(personKey(member)!)) continue;
        const own = values.of(member);
        own.forEach((value, index) => (filled[index] ||= value !== null));
        const row = this.rowOf(++count, member, own, fields, values);
        if ('code' in row) batch.invalidRows.push(row);
        else batch.rows.push(row);
      }
      // The groups may have grown since the first check.
      this.checkRows(request, count);
      if (batch.rows.length + batch.invalidRows.length > 0) yield batch;
      after = page.next;
    } while (after !== null);
    if (count === 0) throw new GroupEmptyError(counts.leftOut);
    await this.checkFilled(request, filled, values);
  }

  private rowOf(
    rowNumber: number,
    member: GroupMember,
    values: readonly (string | null)[],
    fields: readonly [field: string, attribute: string][],
    source: ContactValues,
  ): ReadRow | InvalidRow {
    const { name, phone, userId, attributes } = member;
    const person = name ?? (phone === null ? userId! : `+${phone}`);
    const row: ReadRow = {
      ...{ rowNumber, phone: personKey(member)!, values: values.map((value) => value ?? '') },
      ...(phone !== null && userId !== null && { userId }),
    };
    const index = values.indexOf(null);
    if (index >= 0) {
      const message = source.missing(index);
      return { ...row, person, field: `parameter ${index + 1}`, code: 'parameter_missing', message };
    }
    for (const [field, attribute] of fields) {
      if (!Object.hasOwn(attributes, attribute)) continue;
      const text = attributes[attribute]!;
      const problem = this.files.problemOfExtra(field, text);
      if (problem !== null) {
        return {
          ...row,
          person,
          field,
          code: 'parameter_invalid',
          message: `The value of attribute "${attribute}" ${problem}`,
        };
      }
      fillField(row, field, text);
    }
    return row;
  }

  private async checkFilled(request: GroupSend, filled: readonly boolean[], values: ContactValues): Promise<void> {
    const unfilled = filled.flatMap((isFilled, index) => (isFilled ? [] : [index]));
    if (unfilled.length === 0) return;
    const names = request.values ? await this.groups.attributeNames(request.accountId, request.groupIds) : [];
    const known = names.length > 0 ? ` Some of their attributes: ${names.join(', ')}.` : '';
    const { advice, errors } = values.remedy(unfilled);
    throw new ParameterMismatchError(filled.length, filled.length - unfilled.length, advice + known, errors);
  }

  private pageAfter(request: GroupSend, after: string | null, attributes: readonly string[]): Promise<MemberPage> {
    if (request.signal.aborted) throw new RequestAbandonedError();
    return this.groups.membersOf(request.accountId, request, { after, limit: CHUNK_SIZE, attributes });
  }
}

/** `field`: `reference`, a field of RowExtras, or `quickReplyPayloads.0`. */
function fillField(row: ReadRow, field: string, text: string): void {
  if (field === 'reference') {
    row.reference = text;
    return;
  }
  const extras = (row.extras ??= {});
  const [name, button] = field.split('.', 2) as [Exclude<keyof RowExtras, 'cards' | 'quickReplyPayloads'>, string?];
  if (button === undefined) extras[name] = text;
  else (extras.quickReplyPayloads ??= {})[button] = text;
}

/** Whether recipients may have header media, payloads or a flow token of their own. */
function hasExtras({ fromAttributes }: GroupSend): boolean {
  return Object.keys(fromAttributes).some((field) => field !== 'reference');
}
