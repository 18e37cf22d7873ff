import { Injectable } from '@nestjs/common';
import type { GroupMember } from '../../groups/domain/contact-group';
import { GroupsService } from '../../groups/domain/groups.service';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { GroupEmptyError } from './bulk-jobs.errors';
import { checkDefaults, type ValuesByNumber, valuesOfContact } from './contact-values';
import { type CreatedJob, type JobIntake, JobIntakes, type JobRequest } from './job-intake';
import { CHUNK_SIZE, type RecipientProblem } from './recipient-chunk';

/** A request to send to all contacts of a group. */
export interface GroupSend extends JobRequest {
  groupId: string;
  /** For placeholders without a value of the contact. */
  parameterDefaults: ValuesByNumber;
}

const PHONE_MISSING: RecipientProblem = {
  code: 'phone_missing',
  message: 'The contact has no phone number, only a userId. Add the number to the contact.',
};

/** Creates jobs from contact groups. */
@Injectable()
export class GroupSendsService {
  constructor(
    private readonly groups: GroupsService,
    private readonly intakes: JobIntakes,
  ) {}

  /**
   * Creates a job with all current contacts of the group, atomically. Rejects with the errors of template and
   * group, with GroupEmptyError, and with ParameterMismatchError if a placeholder has no value for any contact.
   */
  async sendToGroup(request: GroupSend): Promise<CreatedJob> {
    const group = await this.groups.get(request.accountId, request.groupId);
    const origin = { kind: 'Group' as const, fileName: null, groupId: group.id, retryOf: null };
    return this.intakes.create(request, origin, async (intake, { template }) => {
      checkDefaults(request.parameterDefaults, template.valueCount);
      const filled = await this.freeze(request, template, intake);
      const fillable = filled.filter(Boolean).length;
      if (fillable < template.valueCount) {
        const advice = `No contact of the group has parameter ${filled.indexOf(false) + 1}: set it for the contacts, or for all of them in parameterDefaults.`;
        throw new ParameterMismatchError(template.valueCount, fillable, advice);
      }
      return { duplicateRows: 0, warnings: [] };
    });
  }

  /** Adds every member to the job; returns for each placeholder whether any member has a value for it. */
  private async freeze(request: GroupSend, template: SendableTemplate, intake: JobIntake): Promise<boolean[]> {
    const { valueCount } = template;
    const filled = new Array<boolean>(valueCount).fill(false);
    let taken = 0;
    let members = await this.membersAfter(request, null);
    if (members.length === 0) throw new GroupEmptyError();
    while (members.length > 0) {
      for (const { phone, parameters } of members) {
        const values = valuesOfContact(parameters, request.parameterDefaults, valueCount);
        values.forEach((value, index) => (filled[index] ||= value !== null));
        intake.add(
          ++taken,
          phone ?? '',
          values.map((value) => value ?? ''),
          phone === null ? PHONE_MISSING : problemOf(values, template),
        );
      }
      await intake.settle();
      members = await this.membersAfter(request, members.at(-1)!.contactId);
    }
    return filled;
  }

  private membersAfter(request: GroupSend, contactId: string | null): Promise<GroupMember[]> {
    if (request.signal.aborted) throw new RequestAbandonedError();
    return this.groups.membersOf(request.accountId, request.groupId, contactId, CHUNK_SIZE);
  }
}

function problemOf(values: readonly (string | null)[], template: SendableTemplate): RecipientProblem | null {
  const number = values.indexOf(null) + 1;
  if (number === 0) return template.errorOfLength(values.map((value) => value ?? ''));
  return {
    code: 'parameter_missing',
    message: `The contact has no parameter ${number}, and parameterDefaults has none either.`,
  };
}
