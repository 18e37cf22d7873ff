import { unreadAuditLog } from '../support/audit';
import type { Clock } from '../../src/kernel/clock';
import { Loop } from '../../src/kernel/loop';
import type { UnitOfWork } from '../../src/kernel/unit-of-work';
import { BulkJobsService } from '../../src/modules/bulk-jobs/domain/bulk-jobs.service';
import type { SendForecasts } from '../../src/modules/bulk-jobs/domain/send-forecasts';
import type { JobStatusStore } from '../../src/modules/delivery/domain/job-status-store.port';
import type { LaneTelemetry } from '../../src/modules/delivery/domain/lane-telemetry';
import { PauseExpiry } from '../../src/modules/delivery/domain/pause-expiry';
import type { SenderSignal } from '../../src/modules/sending/domain/sender-signal';
import type { SingleSendTimes } from '../../src/modules/sending/domain/single-sends';
import type { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { Plans } from '../../src/modules/accounts/domain/plans';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { JobErasure } from '../../src/modules/bulk-jobs/domain/job-erasure';
import { JobIntakes } from '../../src/modules/bulk-jobs/domain/job-intakes';
import { ReachedPeople } from '../../src/modules/bulk-jobs/domain/reached-people';
import { JobRetriesService } from '../../src/modules/bulk-jobs/domain/job-retries.service';
import type { Contact } from '../../src/modules/groups/domain/contact';
import type { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import type { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';
import type { IdentityStores } from './identity-stores';
import type { Claims, PeopleStores } from './people-stores';

interface PeopleParts {
  stores: PeopleStores;
  jobStatusStore: JobStatusStore;
  unitOfWork: UnitOfWork;
  /** The database's time. */
  clock: Clock;
  signal: SenderSignal;
  senders: SendersService;
  templates: TemplatesService;
  times: SingleSendTimes;
  telemetry: LaneTelemetry;
  numbers: KnownNumbers;
  /** Null if people have numbers only. */
  contact: IdentityStores['contact'] | null;
}

const UNLIMITED = { perSecond: 1, othersOpen: [], tier: null };
const FORECASTS = { limitsOfJob: () => Promise.resolve(UNLIMITED) } as Partial<SendForecasts> as SendForecasts;
const PLANS = new Plans({ Pro: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 1 } });
/** Every person is a contact, whose id is the number or the user id. */
const contactsBy = (contact: IdentityStores['contact'] | null): ContactStore =>
  ({
    find: (accountId, id) =>
      (contact ? contact(accountId, id) : Promise.resolve({ phone: id, userId: null })) as Promise<Contact>,
    remove: () => Promise.resolve(true),
  }) as Partial<ContactStore> as ContactStore;
const ERASURES_EVERY_MS = 5000;
const EVERY_ZONE = { has: () => Promise.resolve(true) };

/** The parts of one process that serve people's requests, and its periodic rounds. */
export class ProcessPeople {
  readonly jobs: BulkJobsService;
  readonly retries: JobRetriesService;
  readonly erasure: PersonErasure;
  readonly pauses: PauseExpiry;
  readonly claims: Claims;
  readonly intakes: JobIntakes;
  private readonly erasing: Loop;

  constructor(parts: PeopleParts) {
    const { stores, jobStatusStore, signal, senders, templates, times, unitOfWork, telemetry, clock } = parts;
    this.jobs = new BulkJobsService(
      ...([
        stores.jobs,
        clock,
        signal,
        templates,
        times,
        FORECASTS,
        unitOfWork,
        EVERY_ZONE,
        senders,
        unreadAuditLog(),
      ] as const),
    );
    this.erasure = new PersonErasure(contactsBy(parts.contact), stores.erasures, unitOfWork, stores.audit, clock);
    this.erasure.add(new JobErasure(stores.jobErasure));
    this.intakes = new JobIntakes(
      ...([senders, templates, stores.intakes, unitOfWork, clock, signal, EVERY_ZONE, PLANS] as const),
      ...([this.erasure, stores.jobErasure, unreadAuditLog()] as const),
    );
    const reached = new ReachedPeople(stores.jobs);
    this.retries = new JobRetriesService(
      stores.jobs,
      reached,
      templates,
      this.intakes,
      this.erasure,
      parts.numbers,
      senders,
    );
    const failed = (error: unknown): void => telemetry.failed(null, error);
    this.erasing = new Loop({
      ...{ name: 'erasures', clock, everyMs: ERASURES_EVERY_MS, failed },
      round: () => this.erasure.sweep(ERASURES_EVERY_MS, failed),
    });
    this.claims = stores.claims;
    this.pauses = new PauseExpiry(jobStatusStore, telemetry, signal, clock);
  }

  start(): void {
    this.erasing.start();
  }

  stop(): Promise<void> {
    return this.erasing.stop();
  }
}
