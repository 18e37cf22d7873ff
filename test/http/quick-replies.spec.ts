import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { HistoryApi } from '../support/history-api';

const HOURS = { name: 'Opening hours', text: 'Monday to Saturday,\n9 am to 6 pm.' };

describeOnDatabase('Quick replies over HTTP', (open) => {
  let api: HistoryApi;

  beforeAll(async () => {
    api = new HistoryApi(await open(), 'http://127.0.0.1:9');
    await api.start();
  });
  beforeEach(() => api.newAccount());
  afterAll(() => api.stop());

  const names = async () =>
    ((await api.get('/quick-replies').expect(200)).body.items as { name: string }[]).map(({ name }) => name);

  it('are created, listed by name, changed and deleted', async () => {
    const { body: created } = await api.post('/quick-replies', { ...HOURS, name: ' Opening hours ' }).expect(201);
    expect(created).toMatchObject(HOURS);
    await api.post('/quick-replies', { name: 'address', text: 'Main Street 1' }).expect(201);
    expect(await names()).toEqual(['address', 'Opening hours']);
    const path = `/quick-replies/${created.id as string}`;
    const { body: changed } = await api.patch(path, { text: 'Closed' }).expect(200);
    expect(changed).toMatchObject({ name: 'Opening hours', text: 'Closed', createdAt: created.createdAt });
    expect((await api.get('/quick-replies').expect(200)).body.items[1]).toEqual(changed);
    await api.delete(path).expect(204);
    expect((await api.delete(path).expect(404)).body).toMatchObject({ code: 'quick_reply_not_found' });
    expect(await names()).toEqual(['address']);
  });

  it('have a name of their own, ignoring case', async () => {
    await api.post('/quick-replies', HOURS).expect(201);
    const { body: other } = await api.post('/quick-replies', { name: 'b', text: 'b' }).expect(201);
    const taken = { code: 'quick_reply_name_taken' };
    expect((await api.post('/quick-replies', { ...HOURS, name: 'OPENING HOURS' }).expect(409)).body).toMatchObject(
      taken,
    );
    const path = `/quick-replies/${other.id as string}`;
    expect((await api.patch(path, { name: 'opening hours' }).expect(409)).body).toMatchObject(taken);
  });

  it('are limited in number and length', async () => {
    await api.post('/quick-replies', { name: 'n'.repeat(60), text: 't'.repeat(4096) }).expect(201);
    for (const wrong of [
      { name: 'n'.repeat(61), text: 't' },
      { name: 'n', text: 't'.repeat(4097) },
      { name: ' ', text: 't' },
      { name: 'two\nlines', text: 't' },
      { name: 'n', text: ' ' },
      { name: 'n', text: 'a\0b' },
      { name: 'n' },
    ]) {
      await api.post('/quick-replies', wrong).expect(400);
    }
    await api.database.execute(
      `INSERT INTO quick_replies (id, account_id, name, text)
       SELECT gen_random_uuid(), $1, n::text, 'text' FROM generate_series(1, 199) n`,
      [api.caller.accountId],
    );
    expect((await api.post('/quick-replies', HOURS).expect(409)).body).toMatchObject({ code: 'quick_reply_limit' });
  });

  it('are those of the account', async () => {
    const { body } = await api.post('/quick-replies', HOURS).expect(201);
    await api.newAccount();
    expect(await names()).toEqual([]);
    for (const id of [body.id as string, uuidV7(), 'x']) {
      await api.patch(`/quick-replies/${id}`, { text: 'x' }).expect(404);
      await api.delete(`/quick-replies/${id}`).expect(404);
    }
  });
});
