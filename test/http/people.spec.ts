import { ContactBookApi, errorsOf } from '../support/contact-book-api';
import { PersonErasure } from '../../src/modules/groups/domain/person-erasure';

const ANNA = '4915123456789';
const BEN = '4915123456780';

describe('People in the contact book over HTTP', () => {
  let api: ContactBookApi;

  beforeAll(async () => {
    api = await ContactBookApi.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.app.close());

  const call: ContactBookApi['call'] = (method, path, body) => api.call(method, path, body);
  const newGroup = (name?: string) => api.newGroup(name);
  const newContact = (body: object) => api.newContact(body);

  it('are erased with all data of the person, immediately or in steps', async () => {
    let isDone = true;
    const people: unknown[] = [];
    api.app.get(PersonErasure).add({
      name: 'test',
      erase: (person) => {
        people.push(person);
        return Promise.resolve({ done: isDone, waiting: true });
      },
    });
    const anna = await newContact({ phone: ANNA, userId: 'DE.1' });
    expect((await call('delete', `/contacts/${anna}?erase=true`).expect(204)).body).toEqual({});
    expect(people).toMatchObject([{ accountId: api.caller.accountId, phone: ANNA, userId: 'DE.1' }]);
    await call('delete', `/contacts/${anna}?erase=true`).expect(404);
    isDone = false;
    const ben = await newContact({ phone: BEN });
    await call('delete', `/contacts/${ben}?erase=true`).expect(202, { status: 'Erasing' });
    await call('get', `/contacts/${ben}`).expect(404);
    const cara = await newContact({ userId: 'DE.2' });
    await call('delete', `/contacts/${cara}?erase=yes`).expect(400);
    await call('delete', `/contacts/${cara}?erase=false`).expect(204);
    expect(people).toHaveLength(2);
  });

  it('may have a user id in place of a phone', async () => {
    const { body } = await call('post', '/contacts', { userId: 'DE.77', name: 'Ann' }).expect(201);
    expect(body).toMatchObject({ phone: null, userId: 'DE.77', name: 'Ann' });
    const taken = await call('post', '/contacts', { phone: ANNA, userId: 'DE.77' }).expect(409);
    expect(taken.body).toMatchObject({ code: 'contact_user_id_taken', contactId: body.id });
    expect(errorsOf((await call('post', '/contacts', { userId: 'x y' }).expect(400)).body)?.[0]?.[0]).toBe('userId');
    const without = await call('patch', `/contacts/${body.id}`, { userId: null }).expect(400);
    expect(errorsOf(without.body)).toEqual([['phone', 'phone_missing']]);
    const { body: empty } = await call('post', '/contacts', {}).expect(400);
    expect(empty.message).toBe('phone is required unless userId is given.');
    await call('patch', `/contacts/${body.id}`, { phone: ANNA, userId: null }).expect(200);
  });

  it('are found by their user id', async () => {
    const [other, hidden] = [await newContact({ phone: ANNA, userId: 'DE.7' }), await newContact({ userId: 'DE.77' })];
    await newContact({ phone: BEN, name: 'DE.7 fan' });
    const group = await newGroup();
    await call('post', `/groups/${group}/contacts`, { contacts: [{ userId: 'DE.77' }] }).expect(200);
    const found = async (path: string) => {
      const { body } = await call('get', path).expect(200);
      return (body.items as { id: string }[]).map(({ id }) => id);
    };
    expect(await found('/contacts?userId=DE.77')).toEqual([hidden]);
    expect(await found('/contacts?userId=DE.777')).toEqual([]);
    expect(await found(`/contacts?userId=DE.77&phone=${ANNA}`)).toEqual([]);
    expect(await found(`/contacts?userId=DE.7&phone=${ANNA}`)).toEqual([other]);
    expect(await found('/contacts?search=%20DE.7%20')).toEqual([other]);
    expect(await found('/contacts?search=DE.77')).toEqual([hidden]);
    expect(await found(`/contacts?search=DE.77&cursor=${hidden}`)).toEqual([]);
    expect(await found('/contacts?search=de.77')).toEqual([]);
    expect(await found(`/groups/${group}/contacts?search=DE.77`)).toEqual([hidden]);
    expect(await found(`/groups/${group}/contacts?search=DE.7`)).toEqual([]);
    const { body } = await call('get', '/contacts?userId=77').expect(400);
    expect(errorsOf(body)).toEqual([['userId', 'invalid_format']]);
  });

  it("may be entered with the platform's spelling of the number, and are the same person", async () => {
    const { body } = await call('post', '/contacts', { phone: '+52 1 55 1234 5678' }).expect(201);
    expect(body.phone).toBe('525512345678');
    const again = await call('post', '/contacts', { phone: '525512345678' }).expect(409);
    expect(again.body).toMatchObject({ code: 'contact_phone_taken', contactId: body.id });
    const found = await call('get', '/contacts?phone=5215512345678').expect(200);
    expect(found.body.items).toMatchObject([{ id: body.id }]);
    await call('post', '/opt-outs', { phone: '5215512345678' }).expect(201);
    expect((await call('get', `/contacts/${body.id}`).expect(200)).body.optedOut).toBe(true);
    const optedOut = async (person: string) =>
      (await call('get', `/opt-outs?person=${encodeURIComponent(person)}`).expect(200)).body as object;
    expect(await optedOut('+52 1 55 1234 5678')).toMatchObject({ totalCount: 1, items: [{ scope: 'All' }] });
    for (const other of ['12025550123', 'x', 'US.1']) expect(await optedOut(other)).toMatchObject({ totalCount: 0 });
    await call('delete', '/opt-outs/525512345678').expect(204);
    expect(await optedOut('525512345678')).toMatchObject({ totalCount: 0, items: [] });
    expect((await call('get', `/contacts/${body.id}`).expect(200)).body.optedOut).toBe(false);
  });

  it('opt out of all messages, or of marketing only', async () => {
    const optOut = async (body: object) => (await call('post', '/opt-outs', body).expect(201)).body as object;
    const listed = async () => {
      const { body } = await call('get', `/opt-outs?person=${ANNA}`).expect(200);
      return (body.items as { scope: string }[]).map(({ scope }) => scope).sort();
    };
    const { id } = (await call('post', '/contacts', { phone: ANNA }).expect(201)).body as { id: string };
    const isOut = async () => (await call('get', `/contacts/${id}`).expect(200)).body.optedOut as boolean;
    const first = await optOut({ phone: ANNA, scope: 'Marketing' });
    expect(first).toMatchObject({ phone: ANNA, scope: 'Marketing', source: 'Api' });
    expect(await optOut({ phone: ANNA, scope: 'Marketing' })).toEqual(first);
    expect([await listed(), await isOut()]).toEqual([['Marketing'], false]);
    expect(await optOut({ phone: ANNA })).toMatchObject({ scope: 'All' });
    expect([await listed(), await isOut()]).toEqual([['All', 'Marketing'], true]);
    await call('delete', `/opt-outs/${ANNA}`).expect(204);
    expect(await listed()).toEqual([]);
    const { body } = await call('post', '/opt-outs', { phone: ANNA, scope: 'Everything' }).expect(400);
    expect(errorsOf(body)).toMatchObject([['scope', expect.any(String)]]);
  });

  it('are found by a part of the name, or the beginning or the end of the number', async () => {
    const anna = await newContact({ phone: ANNA, name: 'Ánna Öz_%' });
    await newContact({ phone: '12025550123', name: 'Ben' });
    const found = async (search: string) => {
      const query = `/contacts?search=${encodeURIComponent(search)}`;
      const { items } = (await call('get', query).expect(200)).body as { items: { id: string }[] };
      return items.map(({ id }) => id);
    };
    for (const search of [
      'nna öz_',
      '_%',
      '+49 1512',
      '0151 2345',
      '0151 23456789',
      '4915123456789',
      ' ÁNNA ',
      '6789',
    ]) {
      expect([search, await found(search)]).toEqual([search, [anna]]);
    }
    expect([await found('15123'), await found('789')]).toEqual([[], []]);
    const ofNumber = async (search: string) =>
      (await call('get', `/contacts?phone=4915123456789&search=${search}`).expect(200)).body.items as object[];
    expect([await ofNumber('nna'), await ofNumber('somebody')]).toMatchObject([[{ phone: '4915123456789' }], []]);
    for (const search of ['', '  ', 'x'.repeat(129), 'a\u0000']) {
      const query = `/contacts?search=${encodeURIComponent(search)}`;
      expect(errorsOf((await call('get', query).expect(400)).body)?.[0]?.[0]).toBe('search');
    }
    const group = await newGroup('Zoo (north)');
    await newGroup('Other');
    const groups = await call('get', '/groups?search=OO%20(').expect(200);
    expect(groups.body).toMatchObject({ items: [{ id: group }], totalCount: 1 });
    await call('post', `/groups/${group}/contacts`, { contacts: [{ phone: ANNA }, { phone: BEN, name: 'B' }] });
    const inGroup = await call('get', `/groups/${group}/contacts?search=nna`).expect(200);
    expect(inGroup.body).toMatchObject({ items: [{ id: anna }], nextCursor: null });
  });
});
