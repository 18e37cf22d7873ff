import { Injectable } from '@nestjs/common';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import type { GroupMember, MemberPage } from '../../groups/domain/contact-group';
import { GroupsService } from '../../groups/domain/groups.service';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import type { SeenPeople } from '../../groups/domain/seen-people';
import type { JobAudience } from './bulk-job';
import { BulkJobStore } from './bulk-job-store.port';
import { identifiedMembers } from './identified-rows';
import type { JobRequest } from './job-intakes';
import { LeftOutRows } from './left-out-rows';
import { ReachedPeople } from './reached-people';
import { CHUNK_SIZE } from './recipient-chunk';

/** Whom a send leaves out. */
export type Exclusions = Pick<JobAudience, 'excludeGroupIds' | 'notReachedBy'>;

type ExcludingRequest = Pick<JobRequest, 'accountId' | 'signal'> & Exclusions;

/** The people whom a send leaves out. */
@Injectable()
export class LeftOutPeople {
  constructor(
    private readonly groups: GroupsService,
    private readonly jobs: BulkJobStore,
    private readonly reached: ReachedPeople,
    private readonly numbers: KnownNumbers,
  ) {}

  /**
   * Everybody whom a job in `notReachedBy`, or a retry of one, reached or may reach. Rejects with JobNotFoundError and
   * RecipientsExpiredError.
   */
  async reachedBy({ accountId, notReachedBy, signal }: ExcludingRequest): Promise<SeenPeople> {
    const jobIds = new Set<string>();
    for (const jobId of [notReachedBy ?? []].flat()) {
      for (const one of [jobId, ...(await this.jobs.retriesOf(jobId))]) jobIds.add(one);
    }
    return this.reached.of(accountId, [...jobIds], signal);
  }

  /** The rows of the people of `reachedBy`, and of all contacts of the groups. Rejects with its errors and GroupNotFoundError. */
  async rowsOf(request: ExcludingRequest): Promise<LeftOutRows> {
    if (!excludesPeople(request)) return new LeftOutRows(null);
    const { accountId, excludeGroupIds } = request;
    for (const groupId of excludeGroupIds) await this.groups.get(accountId, groupId);
    const people = await this.reachedBy(request);
    for await (const { phone, userId } of this.contactsOf(request)) {
      for (const key of [phone, userId]) if (key !== null) people.add(key);
    }
    return new LeftOutRows(people);
  }

  private async *contactsOf({ accountId, excludeGroupIds, signal }: ExcludingRequest): AsyncGenerator<GroupMember> {
    if (excludeGroupIds.length === 0) return;
    const audience = { groupIds: excludeGroupIds, excludeGroupIds: [] };
    let after: string | null = null;
    do {
      if (signal.aborted) throw new RequestAbandonedError();
      const range = { after, limit: CHUNK_SIZE, attributes: [] };
      const page: MemberPage = await this.groups.membersOf(accountId, audience, range);
      yield* await identifiedMembers(this.numbers, accountId, page.members);
      after = page.next;
    } while (after !== null);
  }
}

/** Whether the request leaves out anybody. */
export function excludesPeople({ excludeGroupIds, notReachedBy }: Exclusions): boolean {
  return excludeGroupIds.length > 0 || notReachedBy !== null;
}

/** The audience of a job whose recipients are those of a file or list; null: all of them. */
export function listAudience({ excludeGroupIds, notReachedBy }: Exclusions): JobAudience | null {
  if (!excludesPeople({ excludeGroupIds, notReachedBy })) return null;
  return { groupIds: [], excludeGroupIds, notReachedBy };
}
