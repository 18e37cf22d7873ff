import { Injectable } from '@nestjs/common';
import type { GroupMember } from '../../groups/domain/contact-group';
import { GroupsService } from '../../groups/domain/groups.service';
import { Plans } from '../../accounts/domain/plans';
import type { ReadBatch } from '../../recipient-files/domain/file-rows';
import { type RowError, TooManyRowsError } from '../../recipient-files/domain/recipient-files.errors';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { GroupEmptyError } from './bulk-jobs.errors';
import { checkDefaults, type ValuesByNumber, valuesOfContact } from './contact-values';
import { type CreatedJob, type FilledJob, JobIntakes, type JobOrigin, type JobRequest } from './job-intake';
import { CHUNK_SIZE } from './recipient-chunk';
import { type RecipientCheck, RecipientChecks } from './recipient-checks.service';

/** A request to send to all contacts of a group. */
export interface GroupSend extends JobRequest {
  groupId: string;
  /** For placeholders without a value of the contact. */
  parameterDefaults: ValuesByNumber;
}

type ContactError = Omit<RowError, 'rowNumber'>;

const PHONE_MISSING: ContactError = {
  field: 'phone',
  code: 'phone_missing',
  message: 'The contact has no phone number, only a userId. Add the number to the contact.',
};

/** Creates jobs from contact groups. */
@Injectable()
export class GroupSendsService {
  constructor(
    private readonly groups: GroupsService,
    private readonly intakes: JobIntakes,
    private readonly checks: RecipientChecks,
    private readonly plans: Plans,
  ) {}

  /**
   * Creates a job with all current contacts of the group, atomically. Rejects with the errors of template and
   * group, with GroupEmptyError, with TooManyRowsError beyond the rows of the plan, and with ParameterMismatchError if a placeholder has no value for any contact.
   */
  async sendToGroup(request: GroupSend): Promise<CreatedJob> {
    return this.intakes.create(request, await this.originOf(request), (intake, { template }) =>
      this.fill(request, template, async (batch) => {
        intake.addBatch(batch);
        await intake.settle();
      }),
    );
  }

  /** Returns what a send to the group would become; creates nothing. Rejects with the same errors. */
  async checkGroup(request: GroupSend): Promise<RecipientCheck> {
    const source = await this.intakes.source(request, await this.originOf(request));
    return this.checks.check(source, (take) => this.fill(request, source.template, take));
  }

  private async originOf(request: GroupSend): Promise<JobOrigin> {
    const group = await this.groups.get(request.accountId, request.groupId);
    this.checkRows(request, group.contactCount);
    return { kind: 'Group', fileName: null, groupId: group.id, retryOf: null, retry: null, uploadHash: null };
  }

  private checkRows({ plan }: GroupSend, contacts: number): void {
    const { maxRowsPerFile: limit } = this.plans.of(plan);
    if (contacts <= limit) return;
    const message = `The group has ${contacts} contacts, and your plan allows ${limit} recipients per job. Split the group, or choose a larger plan.`;
    throw new TooManyRowsError(message, limit);
  }

  /** Hands every member to `take`, in batches. */
  private async fill(
    request: GroupSend,
    template: SendableTemplate,
    take: (batch: ReadBatch) => Promise<void>,
  ): Promise<FilledJob> {
    const { valueCount } = template;
    checkDefaults(request.parameterDefaults, valueCount);
    const filled = new Array<boolean>(valueCount).fill(false);
    let taken = 0;
    let members = await this.membersAfter(request, null);
    if (members.length === 0) throw new GroupEmptyError();
    while (members.length > 0) {
      const batch: ReadBatch = { rows: [], invalidRows: [] };
      for (const { phone, parameters } of members) {
        const values = valuesOfContact(parameters, request.parameterDefaults, valueCount);
        values.forEach((value, index) => (filled[index] ||= value !== null));
        const row = { rowNumber: ++taken, phone: phone ?? '', values: values.map((value) => value ?? '') };
        const error = phone === null ? PHONE_MISSING : errorOf(values, template);
        if (error === null) batch.rows.push(row);
        else batch.invalidRows.push({ ...row, ...error });
      }
      // The group may have grown meanwhile.
      this.checkRows(request, taken);
      await take(batch);
      members = await this.membersAfter(request, members.at(-1)!.contactId);
    }
    const fillable = filled.filter(Boolean).length;
    if (fillable < valueCount) {
      const advice =
        `No contact of the group has parameter ${filled.indexOf(false) + 1}: set it for the contacts, or ` +
        `provide a default in parameterDefaults.`;
      throw new ParameterMismatchError(valueCount, fillable, advice);
    }
    return { duplicateRows: 0, warnings: [] };
  }

  private membersAfter(request: GroupSend, contactId: string | null): Promise<GroupMember[]> {
    if (request.signal.aborted) throw new RequestAbandonedError();
    return this.groups.membersOf(request.accountId, request.groupId, contactId, CHUNK_SIZE);
  }
}

function errorOf(values: readonly (string | null)[], template: SendableTemplate): ContactError | null {
  const number = values.indexOf(null) + 1;
  if (number === 0) return template.errorOfRecipient(values as string[]);
  return {
    field: `parameter ${number}`,
    code: 'parameter_missing',
    message: `Neither the contact nor parameterDefaults has parameter ${number}.`,
  };
}
