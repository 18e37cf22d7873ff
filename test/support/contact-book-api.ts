import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import type { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { configureHttp } from '../../src/infra/http/configure-http';
import { RouteAccessCheck } from '../../src/infra/http/access/route-access-check';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { uuidV7 } from '../../src/kernel/uuid';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { EventOutboxStore } from '../../src/modules/events/domain/event-outbox.port';
import { EventOutbox } from '../../src/modules/events/domain/event-outbox';
import { AccountPhoneBook } from '../../src/modules/groups/adapters/account-phone-book';
import { ContactsController } from '../../src/modules/groups/adapters/contacts.controller';
import { GroupsController } from '../../src/modules/groups/adapters/groups.controller';
import { OptOutKeywordsController } from '../../src/modules/groups/adapters/opt-out-keywords.controller';
import { OptOutsController } from '../../src/modules/groups/adapters/opt-outs.controller';
import { ContactStore } from '../../src/modules/groups/domain/contact-store.port';
import { ContactQuota } from '../../src/modules/groups/domain/contact-quota';
import { ContactsService } from '../../src/modules/groups/domain/contacts.service';
import { ErasureStore } from '../../src/modules/groups/domain/erasure-store.port';
import { GroupStore } from '../../src/modules/groups/domain/group-store.port';
import { GroupsService } from '../../src/modules/groups/domain/groups.service';
import { OptOutKeywordsStore } from '../../src/modules/groups/domain/opt-out-keywords-store.port';
import { KnownNumbers } from '../../src/modules/groups/domain/known-numbers';
import { OptOutStore } from '../../src/modules/groups/domain/opt-out-store.port';
import { OptOutsService } from '../../src/modules/groups/domain/opt-outs.service';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import { AuditStore } from '../../src/modules/accounts/domain/audit-store.port';
import { Plans } from '../../src/modules/accounts/domain/plans';
import { PhoneBook } from '../../src/modules/groups/domain/phone-book.port';
import { EventsInMemory } from '../fakes/events-in-memory';
import { ImmediateUnitOfWork } from '../fakes/immediate-unit-of-work';
import { InMemoryAuditStore } from '../fakes/in-memory-audit-store';
import { InMemoryContactBook } from '../fakes/in-memory-contact-book';
import { InMemoryErasures } from '../fakes/in-memory-erasures';
import { InMemoryOptOutKeywords } from '../fakes/in-memory-opt-outs';

const PLANS = new Plans({ Free: { requestsPerSecond: 1, burst: 1, maxRowsPerFile: 1, maxGroups: 50 } });

/** A key of the account with every scope. */
export function callerOf(accountId: string): Caller {
  return { accountId, keyId: uuidV7(), keyPrefix: 'mta', plan: 'Free', scopes: [] };
}

/** Field and code of each error of an error body. */
export function errorsOf(body: { errors?: { field: string; code: string }[] }): [string, string][] | undefined {
  return body.errors?.map(({ field, code }) => [field, code]);
}

/** Contacts, groups and opt-outs over HTTP, with an in-memory contact book; national numbers are German. */
export class ContactBookApi {
  caller = callerOf(uuidV7());

  private constructor(readonly app: NestExpressApplication) {}

  static async start(): Promise<ContactBookApi> {
    const book = new InMemoryContactBook();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [GroupsController, ContactsController, OptOutsController, OptOutKeywordsController],
      providers: [
        RouteAccessCheck,
        GroupsService,
        ContactsService,
        ContactQuota,
        OptOutsService,
        PersonErasure,
        AuditLogService,
        EventOutbox,
        { provide: EventOutboxStore, useClass: EventsInMemory },
        { provide: AuditStore, useClass: InMemoryAuditStore },
        { provide: Plans, useValue: PLANS },
        { provide: ErasureStore, useClass: InMemoryErasures },
        // No request has a key here, so nothing is stored.
        { provide: IdempotencyKeys, useValue: new IdempotencyKeys({} as Database, new SystemClock()) },
        { provide: Clock, useClass: SystemClock },
        { provide: GroupStore, useValue: book.groups },
        { provide: ContactStore, useValue: book.contacts },
        { provide: OptOutStore, useValue: book.optOuts },
        { provide: KnownNumbers, useValue: new KnownNumbers(book.knownNumbers) },
        { provide: OptOutKeywordsStore, useClass: InMemoryOptOutKeywords },
        { provide: PhoneBook, useClass: AccountPhoneBook },
        { provide: UnitOfWork, useClass: ImmediateUnitOfWork },
        { provide: SendersService, useValue: { ofAccount: () => Promise.resolve({ defaultCountry: 'DE' }) } },
      ],
    }).compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, { maxFileBytes: 1, logger: pino({ level: 'silent' }) });
    const api = new ContactBookApi(app);
    app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = api.caller;
      next();
    });
    await app.listen(0, '127.0.0.1');
    return api;
  }

  /** Switches to a new account. */
  newAccount(): void {
    this.caller = callerOf(uuidV7());
  }

  call(method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object): request.Test {
    return request(this.app.getHttpServer())[method](`/api/v1/messaging${path}`).send(body);
  }

  async newGroup(name = 'VIP'): Promise<string> {
    const { body } = await this.call('post', '/groups', { name }).expect(201);
    return (body as { id: string }).id;
  }

  async newContact(contact: object): Promise<string> {
    const { body } = await this.call('post', '/contacts', contact).expect(201);
    return (body as { id: string }).id;
  }
}
