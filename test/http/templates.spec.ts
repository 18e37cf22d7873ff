import { type CanActivate, type ExecutionContext, type INestApplication, Logger } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import request from 'supertest';
import {
  BUSINESS_ACCOUNT,
  platformTemplate,
  SyncLeasesInMemory,
  TemplatesInMemory,
  templateSyncWith,
} from '../fakes/templates-in-memory';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { SystemClock } from '../../src/infra/system-clock';
import type { Caller } from '../../src/kernel/caller';
import { uuidV7 } from '../../src/kernel/uuid';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { type DirectoryPage, TemplateDirectory } from '../../src/modules/templates/domain/template-directory.port';
import { TemplateSync } from '../../src/modules/templates/domain/template-sync';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { TemplatesController } from '../../src/modules/templates/adapters/templates.controller';

const SENDER = { id: 's', businessAccountId: BUSINESS_ACCOUNT, accessToken: 'token', appSecret: 'secret' };
const PATH = '/api/v1/messaging/templates';

class CallerOfAccountA implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<ApiRequest>().caller = { accountId: 'a' } as Caller;
    return true;
  }
}

class OneTemplate extends TemplateDirectory {
  async *pages(): AsyncGenerator<DirectoryPage> {
    const odd = { name: 'odd', languageCode: 'de', reason: 'unknown status FROZEN' };
    yield await Promise.resolve({ templates: [platformTemplate('promo')], unreadable: [odd] });
  }
}

describe('TemplatesController', () => {
  let app: INestApplication;
  let leases: SyncLeasesInMemory;
  let store: TemplatesInMemory;
  const http = () => request(app.getHttpServer());

  beforeEach(async () => {
    Logger.overrideLogger(false);
    leases = new SyncLeasesInMemory();
    store = new TemplatesInMemory(leases);
    const clock = new SystemClock();
    const accounts = {
      sendersOf: (accountId: string) => Promise.resolve([{ ...SENDER, accountId } as Sender]),
      markTemplatesSynced: () => Promise.resolve(),
    };
    const senders = new SendersService(accounts as unknown as AccountStore, clock);
    const templates = new TemplatesService(store, senders, clock);
    const templateSync = templateSyncWith({ senders, directory: new OneTemplate(), store, leases, templates, clock });
    const module = await Test.createTestingModule({
      controllers: [TemplatesController],
      providers: [
        { provide: APP_GUARD, useClass: CallerOfAccountA },
        { provide: TemplatesService, useValue: templates },
        { provide: TemplateSync, useValue: templateSync },
        { provide: SendersService, useValue: senders },
      ],
    }).compile();
    const nest = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
    configureHttp(nest, { maxFileBytes: 10, logger: pino({ level: 'silent' }) });
    app = await nest.init();
  });

  afterEach(() => app.close());

  it('shows a template with every documented field', async () => {
    store.put('a', platformTemplate('promo', { qualityRating: 'Green' }));
    const answer = await http().get(PATH);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...{ page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
      items: [
        {
          ...{ id: 'promo-de', name: 'promo', languageCode: 'de', category: 'Utility', status: 'Approved' },
          ...{ qualityRating: 'Green', rejectionReason: null, parameterFormat: 'Positional', headerFormat: 'None' },
          ...{ headerText: null, bodyText: 'Hello {{1}}', footerText: null, buttons: [], parameterCount: 1 },
          ...{ offer: null, cards: [], needs: [], unsupported: [], sendable: true, source: 'Authored' },
          ...{ platformTemplateId: 'p-promo', lastSyncedAt: null },
          ...{ createdAt: '1970-01-01T00:00:00.000Z', updatedAt: '1970-01-01T00:00:00.000Z' },
        },
      ],
    });
  });

  it('shows the input of a send', async () => {
    const card = { headerFormat: 'Image' as const, bodyText: null, buttons: [] };
    const { components } = platformTemplate('promo');
    store.put('a', platformTemplate('promo', { components: { ...components, cards: [card, card] } }));
    store.put('a', platformTemplate('order', { components: { ...components, unsupported: ['order details button'] } }));
    expect((await http().get(PATH)).body).toMatchObject({
      items: [
        { name: 'order', unsupported: ['order details button'], sendable: false },
        { name: 'promo', cards: [card, card], needs: ['cards'], sendable: true },
      ],
    });
  });

  it('lists by status and page', async () => {
    store.put('a', platformTemplate('promo'));
    store.put('a', platformTemplate('paused', { status: 'Paused' }));
    expect((await http().get(`${PATH}?status=Paused`)).body).toMatchObject({
      totalCount: 1,
      items: [{ name: 'paused' }],
    });
    expect((await http().get(`${PATH}?page=2&pageSize=1`)).body).toMatchObject({
      page: 2,
      totalPages: 2,
      items: [{ name: 'promo' }],
    });
    expect((await http().get(`${PATH}?page=9`)).body).toMatchObject({ items: [], totalCount: 2 });
  });

  it.each([
    'status=approved',
    'category=UTILITY',
    'page=0',
    'pageSize=101',
    'status=',
    'sort=name',
    'search=%00',
    'sendable=yes',
    'source=Library',
  ])('refuses the query %s', async (query) => {
    const answer = await http().get(`${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ field: query.split('=')[0] }] });
  });

  it('returns one template by id, of its own account only', async () => {
    const id = uuidV7();
    const promo = { ...store.put('b', platformTemplate('promo')), accountId: 'a', id };
    store.keep(promo);
    const { body } = await http().get(`${PATH}/${id}`);
    expect(body).toMatchObject({ id, name: 'promo' });
    expect((await http().get(`${PATH}/${id}?_=1`)).body).toEqual(body);
    const values = [{ title: 'value 1 (body {{1}})', example: 'Example 1' }];
    expect((await http().get(`${PATH}/${id}?values=true`)).body).toEqual({ ...body, values });
    for (const unknown of [uuidV7(), 'promo-de']) {
      const answer = await http().get(`${PATH}/${unknown}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'template_not_found']);
    }
  });

  it('syncs and returns the changes', async () => {
    const answer = await http().post(`${PATH}/sync`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...{ added: 1, updated: 0, removed: 0, unchanged: 0, complete: true },
      failed: [{ name: 'odd', languageCode: 'de', reason: 'unknown status FROZEN' }],
      ...{ startedAt: expect.stringMatching(/Z$/), finishedAt: expect.stringMatching(/Z$/) },
    });
  });

  it('answers 409 while another sync runs', async () => {
    await leases.acquire('a', 'another process');
    const answer = await http().post(`${PATH}/sync`);
    expect([answer.status, answer.body.code]).toEqual([409, 'sync_in_progress']);
  });
});
