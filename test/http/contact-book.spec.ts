import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { callerOf, ContactBookApi, errorsOf } from '../support/contact-book-api';
import { uuidV7 } from '../../src/kernel/uuid';

const ANNA = '4915123456789';
const BEN = '4915123456780';
const ANY_NAMES =
  '{"constructor":"a","__proto__":"b","toString":"c","prototype":"d","hasOwnProperty":"e","polluted":"f","then":"g"}';

/** The names of the attributes in a response with one contact. */
function namesIn(text: string): string[] {
  const attributes = /"attributes":(\{[^}]*\})/.exec(text)![1]!;
  return Object.keys(JSON.parse(attributes) as object).sort();
}

describe('Contacts, groups and opt-outs over HTTP', () => {
  let api: ContactBookApi;

  beforeAll(async () => {
    api = await ContactBookApi.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const call: ContactBookApi['call'] = (method, path, body) => api.call(method, path, body);
  const newGroup = (name?: string) => api.newGroup(name);
  const newContact = (body: object) => api.newContact(body);

  describe('groups', () => {
    it('are created, read, changed, listed and deleted', async () => {
      const { body: group } = await call('post', '/groups', { name: ' VIP ', description: 'Best' }).expect(201);
      expect(group).toEqual({
        id: expect.any(String),
        name: 'VIP',
        description: 'Best',
        contactCount: 0,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: group.createdAt,
      });
      await call('get', `/groups/${group.id}`).expect(200, group);
      await call('get', `/groups/${String(group.id).toUpperCase()}`).expect(200, group);
      const { body: changed } = await call('patch', `/groups/${group.id}`, { name: 'vip', description: null }).expect(
        200,
      );
      expect(changed).toMatchObject({ name: 'vip', description: null });
      const { body: page } = await call('get', '/groups?page=1&pageSize=1').expect(200);
      expect(page).toEqual({ items: [changed], page: 1, pageSize: 1, totalCount: 1, totalPages: 1 });
      await call('delete', `/groups/${group.id}`).expect(204);
      await call('get', `/groups/${group.id}`).expect(404);
    });

    it.each([
      [{}, [['name', 'required']]],
      [{ name: null }, [['name', 'required']]],
      [{ name: '  ' }, [['name', 'required']]],
      [{ name: 7 }, [['name', 'wrong_type']]],
      [{ name: 'x'.repeat(129) }, [['name', 'too_long']]],
      [{ name: 'a\nb' }, [['name', 'invalid_format']]],
      [{ name: 'a\u0000b' }, [['name', 'invalid_characters']]],
      [{ name: 'a\ud800' }, [['name', 'invalid_characters']]],
      [
        { colour: 1, description: 'x'.repeat(1025), name: '' },
        [
          ['name', 'required'],
          ['description', 'too_long'],
          ['colour', 'unknown_field'],
        ],
      ],
    ])('refuse %j', async (given, errors) => {
      const { body } = await call('post', '/groups', given).expect(400);
      expect(body.code).toBe('validation_failed');
      expect(errorsOf(body)).toEqual(errors);
    });

    it('reject a null name in a change', async () => {
      const id = await newGroup();
      const { body } = await call('patch', `/groups/${id}`, { name: null }).expect(400);
      expect(errorsOf(body)).toEqual([['name', 'required']]);
      await call('patch', `/groups/${id}`, {}).expect(200);
    });

    it('reject a taken name', async () => {
      await newGroup('VIP');
      const { body } = await call('post', '/groups', { name: 'vip' }).expect(409);
      expect(body).toMatchObject({ code: 'group_name_taken', statusCode: 409, error: 'Conflict' });
    });

    it.each([
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['get', '/contacts'],
      ['post', '/contacts'],
      ['delete', '/contacts'],
    ] as const)('of others, and invalid ids, are unknown: %s %s', async (method, path) => {
      const foreign = await newGroup();
      api.caller = callerOf(uuidV7());
      const bodies = { contacts: [{ phone: ANNA }], contactIds: [uuidV7()], name: 'x' };
      const body = {
        'post/contacts': { contacts: bodies.contacts },
        'delete/contacts': { contactIds: bodies.contactIds },
        patch: { name: 'x' },
      };
      const sent = (body as Partial<Record<string, object>>)[method + path];
      for (const id of [foreign, uuidV7(), 'not-a-uuid']) {
        const answer = await call(method, `/groups/${id}${path}`, sent).expect(404);
        expect(answer.body.code).toBe('group_not_found');
      }
    });
  });

  describe('contacts of a group', () => {
    it('are added with a result for each, listed and removed', async () => {
      const id = await newGroup();
      const contacts = [
        { phone: '+49 (1512) 345-6789', name: 'Anna', parameters: { '1': 'A' }, attributes: { City: 'Bonn' } },
        { phone: '01512 3456780' },
        { phone: '00491512 3456789', name: 'again' },
        { phone: 'x' },
        { phone: '4915123456781', colour: 'red' },
        7,
      ];
      const { body } = await call('post', `/groups/${id}/contacts`, { contacts }).expect(200);
      expect(body).toMatchObject({ added: 2, updated: 0, duplicates: 1, invalid: 3 });
      const { errors } = body as { errors: { index: number; field: string; code: string }[] };
      expect(errors.map(({ index, field, code }) => [index, field, code])).toEqual([
        [3, 'phone', 'phone_invalid'],
        [4, 'colour', 'unknown_field'],
        [5, '', 'contact_invalid'],
      ]);
      const { body: list } = await call('get', `/groups/${id}/contacts?limit=1`).expect(200);
      expect(list).toEqual({
        items: [
          {
            id: list.nextCursor,
            phone: BEN,
            userId: null,
            name: null,
            username: null,
            parameters: {},
            attributes: {},
            optedOut: false,
            optedOutAt: null,
            groups: [{ id, name: 'VIP' }],
          },
        ],
        nextCursor: expect.any(String),
      });
      const { body: rest } = await call('get', `/groups/${id}/contacts?cursor=${list.nextCursor}`).expect(200);
      expect(rest).toMatchObject({
        items: [{ phone: ANNA, name: 'Anna', parameters: { '1': 'A' }, attributes: { City: 'Bonn' } }],
        nextCursor: null,
      });
      const contactIds = [list.nextCursor, uuidV7()];
      await call('delete', `/groups/${id}/contacts`, { contactIds }).expect(200, { removed: 1, notInGroup: 1 });
      await call('get', `/contacts/${list.nextCursor}`).expect(200);
      expect((await call('get', `/groups/${id}`)).body.contactCount).toBe(1);
    });

    it('have attributes of any name', async () => {
      const id = await newGroup();
      const own = JSON.parse(ANY_NAMES) as object;
      const contacts = [{ phone: ANNA, attributes: own }, JSON.parse('{"phone":"4915123456781","__proto__":1}')];
      const { body } = await call('post', `/groups/${id}/contacts`, { contacts }).expect(200);
      expect(body).toMatchObject({ added: 1, invalid: 1, errors: [{ index: 1, field: '__proto__' }] });
      const { text } = await call('get', `/groups/${id}/contacts`).expect(200);
      expect(namesIn(text)).toEqual(Object.keys(own).sort());
      expect({}).not.toHaveProperty('polluted');
    });

    it.each([
      [{}, 'required'],
      [{ contacts: [] }, 'too_few'],
      [{ contacts: 'x' }, 'wrong_type'],
      [{ contacts: Array.from({ length: 1001 }, () => ({ phone: ANNA })) }, 'too_many'],
    ])('reject an invalid, empty or too long list (%#)', async (given, code) => {
      const { body } = await call('post', `/groups/${await newGroup()}/contacts`, given).expect(400);
      expect(errorsOf(body)).toEqual([['contacts', code]]);
    });

    it.each([
      [{ contactIds: [] }, 'too_few'],
      [{ contactIds: ['x'] }, 'invalid_id'],
      [{ contactIds: [7] }, 'invalid_id'],
    ])('reject the ids %j', async (given, code) => {
      const { body } = await call('delete', `/groups/${await newGroup()}/contacts`, given).expect(400);
      expect(errorsOf(body)).toEqual([['contactIds', code]]);
    });

    it.each(['cursor=x', 'limit=0', 'limit=201', 'page=1'])('reject the query %s', async (query) => {
      const { body } = await call('get', `/groups/${await newGroup()}/contacts?${query}`).expect(400);
      expect(errorsOf(body)).toMatchObject([[query.split('=')[0], expect.any(String)]]);
    });
  });

  describe('contacts', () => {
    it('are created, read, found by phone, changed and deleted', async () => {
      const { body: anna } = await call('post', '/contacts', {
        phone: '+49 1512 3456789',
        name: 'Anna',
        parameters: { '1': 'A' },
        attributes: { City: 'Bonn', 'First name': 'Anna' },
      }).expect(201);
      expect(anna).toEqual({
        id: expect.any(String),
        phone: ANNA,
        userId: null,
        name: 'Anna',
        username: null,
        parameters: { '1': 'A' },
        attributes: { City: 'Bonn', 'First name': 'Anna' },
        optedOut: false,
        optedOutAt: null,
        groups: [],
      });
      await call('get', `/contacts/${anna.id}`).expect(200, anna);
      await newContact({ phone: BEN });
      const found = await call('get', '/contacts?phone=01512%203456789').expect(200);
      expect(found.body).toEqual({ items: [anna], nextCursor: null });
      const change = { name: null, parameters: { '2': 'B' }, attributes: { City: 'Köln' } };
      await call('patch', `/contacts/${anna.id}`, change).expect(200, { ...anna, ...change });
      await call('delete', `/contacts/${anna.id}`).expect(204);
      const { body } = await call('get', `/contacts/${anna.id}`).expect(404);
      expect(body.code).toBe('contact_not_found');
    });

    it('have attributes of any name', async () => {
      const attributes = JSON.parse(ANY_NAMES) as object;
      const created = await call('post', '/contacts', { phone: ANNA, attributes }).expect(201);
      expect(namesIn(created.text)).toEqual(Object.keys(attributes).sort());
      const changed = JSON.parse('{"__proto__":"x","valueOf":"y"}') as object;
      const { text } = await call('patch', `/contacts/${created.body.id}`, { attributes: changed }).expect(200);
      expect(namesIn(text)).toEqual(['__proto__', 'valueOf']);
    });

    it.each([
      [{}, [['phone', 'required']]],
      [{ phone: '12' }, [['phone', 'phone_invalid']]],
      [{ phone: 4915123456789 }, [['phone', 'wrong_type']]],
      [
        { name: 7, parameters: { a: 'b' } },
        [
          ['phone', 'required'],
          ['name', 'wrong_type'],
          ['parameters', 'invalid'],
        ],
      ],
      [{ phone: ANNA, parameters: [] }, [['parameters', 'wrong_type']]],
      [{ phone: ANNA, parameters: { '1': 'a\nb' } }, [['parameters', 'invalid']]],
      [{ phone: ANNA, attributes: { ' City': 'Bonn' } }, [['attributes', 'invalid']]],
      [{ phone: ANNA, groups: [] }, [['groups', 'unknown_field']]],
    ])('refuse %j', async (given, errors) => {
      const { body } = await call('post', '/contacts', given).expect(400);
      expect(body.code).toBe('validation_failed');
      expect(errorsOf(body)).toEqual(errors);
    });

    it('report which parameter is invalid and why', async () => {
      const { body } = await call('post', '/contacts', { phone: ANNA, parameters: { '1': 'a', '2': '' } }).expect(400);
      expect(body.errors[0].message).toBe('parameters.2 must not be empty.');
    });

    it('reject the phone of another contact, and name that contact', async () => {
      const id = await newContact({ phone: ANNA });
      const ben = await newContact({ phone: BEN });
      const taken = { code: 'contact_phone_taken', contactId: id };
      expect((await call('post', '/contacts', { phone: `+${ANNA}` }).expect(409)).body).toMatchObject(taken);
      expect((await call('patch', `/contacts/${ben}`, { phone: ANNA }).expect(409)).body).toMatchObject(taken);
    });

    it('reject a change that removes the phone or the parameters', async () => {
      const id = await newContact({ phone: ANNA });
      const { body } = await call('patch', `/contacts/${id}`, {
        phone: null,
        parameters: null,
        attributes: null,
      }).expect(400);
      expect(errorsOf(body)).toEqual([
        ['phone', 'required'],
        ['parameters', 'required'],
        ['attributes', 'required'],
      ]);
    });

    it('are not deleted if the request has unknown parameters', async () => {
      const id = await newContact({ phone: ANNA });
      const { body } = await call('delete', `/contacts/${id}?erased=true`).expect(400);
      expect(errorsOf(body)).toEqual([['erased', 'unknown_field']]);
      await call('get', `/contacts/${id}`).expect(200);
    });

    it.each(['get', 'patch', 'delete'] as const)('of others, and invalid ids, are unknown: %s', async (method) => {
      const foreign = await newContact({ phone: ANNA });
      api.caller = callerOf(uuidV7());
      for (const id of [foreign, uuidV7(), 'x']) {
        const { body } = await call(method, `/contacts/${id}`, method === 'patch' ? { name: 'x' } : undefined).expect(
          404,
        );
        expect(body.code).toBe('contact_not_found');
      }
    });
  });

  describe('opt-outs', () => {
    it('are recorded once, shown at the contact, listed and removed', async () => {
      const id = await newContact({ phone: ANNA });
      const { body: optOut } = await call('post', '/opt-outs', { phone: '+49 1512 3456789' }).expect(201);
      expect(optOut).toEqual({
        ...{ phone: ANNA, userId: null, scope: 'All', source: 'Api' },
        createdAt: expect.any(String),
      });
      await call('post', '/opt-outs', { phone: ANNA }).expect(201, optOut);
      const { body: contact } = await call('get', `/contacts/${id}`);
      expect(contact).toMatchObject({ optedOut: true, optedOutAt: optOut.createdAt });
      const page = { items: [optOut], page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };
      await call('get', '/opt-outs').expect(200, page);
      await call('get', '/opt-outs?cursor=').expect(200, { items: page.items, nextCursor: null });
      await call('get', '/opt-outs?cursor=x').expect(400);
      await call('delete', `/opt-outs/+${ANNA}`).expect(204);
      const { body } = await call('delete', `/opt-outs/${ANNA}`).expect(404);
      expect(body.code).toBe('opt_out_not_found');
      expect((await call('get', `/contacts/${id}`)).body.optedOut).toBe(false);
    });

    it('are listed with the names of contacts on request', async () => {
      await newContact({ phone: ANNA, userId: 'US.1349120865530274192', name: 'Anna' });
      await newContact({ userId: 'US.1349120865530274193', name: 'Ben' });
      const added = [{ phone: ANNA }, { userId: 'US.1349120865530274193' }, { phone: '4915123456700' }];
      for (const person of added) await call('post', '/opt-outs', person).expect(201);
      for (const query of ['', '&cursor=']) {
        const { body } = await call('get', `/opt-outs?names=true${query}`).expect(200);
        const names = (body.items as { contactName: string | null }[]).map(({ contactName }) => contactName);
        expect(names).toEqual(expect.arrayContaining(['Anna', 'Ben', null]));
        expect(names).toHaveLength(3);
      }
      const { body } = await call('get', '/opt-outs?names=false').expect(200);
      expect(Object.keys(body.items[0])).not.toContain('contactName');
      await call('get', '/opt-outs?names=x').expect(400);
    });

    it('reject an invalid phone', async () => {
      expect(errorsOf((await call('post', '/opt-outs', {}).expect(400)).body)).toEqual([['phone', 'required']]);
      const { body } = await call('post', '/opt-outs', { phone: '123' }).expect(400);
      expect(errorsOf(body)).toEqual([['phone', 'phone_invalid']]);
      await call('delete', '/opt-outs/nobody').expect(404);
    });
  });

  it('are in the OpenAPI document with a summary, a description and tags', () => {
    const document = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path as Record<string, Record<string, unknown>>),
    );
    expect(operations).toHaveLength(18);
    for (const { summary, description, tags, ...operation } of operations) {
      expect([summary, description, tags]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/./),
        [expect.stringMatching(/^(Groups|Contacts|Opt-outs)$/)],
      ]);
      expect(operation['x-required-scope']).toMatch(/^groups:(read|manage)$/);
    }
    expect(document.components?.schemas?.AddContactsDto).toMatchObject({
      properties: { contacts: { items: { $ref: '#/components/schemas/CreateContactDto' } } },
    });
    expect(document.components?.schemas).toHaveProperty('CreateContactDto');
  });
});
