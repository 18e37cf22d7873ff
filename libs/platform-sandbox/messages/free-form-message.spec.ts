import { createHash } from 'node:crypto';
import { LiveSandbox } from '../fixtures/live-sandbox';

const TO = '491511239998';
/** The user id of the same person in webhooks. */
const USER_ID = `DE.${BigInt(`0x${createHash('sha256').update(TO).digest('hex').slice(0, 16)}`)}`;
const INBOUND_ID = 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABIYFDE2RTk5MEU2ODM1QjY5NkZBOEJBAA==';

describe('A free-form message', () => {
  let sandbox: LiveSandbox;

  beforeAll(async () => {
    sandbox = await LiveSandbox.start();
    await sandbox.control('POST', 'inbound', { from: `+${TO}`, text: 'Hello' });
  });
  afterAll(() => sandbox.close());

  it('is rejected with 131047 to a person who has not sent a message', async () => {
    const { status, body } = await sandbox.message({ to: '491511239997', type: 'text', text: { body: 'Hi' } });
    expect([status, body.error.code]).toEqual([400, 131047]);
  });

  it('is rejected with 131047 from a number the person did not write to', async () => {
    await sandbox.control('POST', 'config', {
      senders: [{ phoneNumberId: '109876543210009', businessAccountId: '204876543210002' }],
    });
    const { body } = await sandbox.message({ to: TO, type: 'text', text: { body: 'Hi' } }, '109876543210009');
    expect(body.error.code).toBe(131047);
  });

  it('reaches a person who hides the phone number by the user id', async () => {
    const user = { recipient: 'DE.1', type: 'text', text: { body: 'Hi' } };
    expect((await sandbox.message(user)).body.error.code).toBe(131047);
    const known = { ...user, recipient: USER_ID };
    expect((await sandbox.message(known)).body).toMatchObject({ contacts: [{ input: USER_ID, user_id: USER_ID }] });
  });

  it('within the window is accepted without a message status and recorded in the ledger', async () => {
    const { body } = await sandbox.message({
      to: TO,
      type: 'text',
      text: { body: 'Hi' },
      context: { message_id: INBOUND_ID },
    });
    expect(Object.keys(body.messages[0])).toEqual(['id']);
    expect((await sandbox.ledger()).at(-1)).toMatchObject({ to: TO, type: 'text', template: null, language: null });
  });

  const reply = (id: string) => ({ type: 'reply', reply: { id, title: 'Yes' } });
  const buttons = (...ids: string[]) => ({
    type: 'button',
    body: { text: 'Well?' },
    action: { buttons: ids.map(reply) },
  });
  const sections = (...rows: object[][]) => ({
    type: 'list',
    body: { text: 'Which?' },
    action: { button: 'Choose', sections: rows.map((of, index) => ({ title: `Section ${index}`, rows: of })) },
  });
  const list = (rows: object[]) => sections(rows);

  const link = (url: string) => ({
    ...{ type: 'cta_url', body: { text: 'Here' } },
    action: { name: 'cta_url', parameters: { display_text: 'Track', url } },
  });

  const good: [string, object][] = [
    ['text', { body: 'Hi', preview_url: true }],
    ['image', { link: 'https://files.example.test/a.jpg', caption: 'A' }],
    ['document', { id: '1', filename: 'a.pdf' }],
    ['audio', { id: '1' }],
    ['location', { latitude: 52.5, longitude: 13.4 }],
    ['contacts', [{ name: { formatted_name: 'Mira' } }]],
    ['interactive', buttons('a', 'b', 'c')],
    ['interactive', list([{ id: 'a', title: 'A' }])],
    ['interactive', link('https://shop.example.test/t/1')],
    ['reaction', { message_id: INBOUND_ID, emoji: '👍' }],
    ['reaction', { message_id: INBOUND_ID, emoji: '' }],
  ];
  it.each(good)('of type %s is accepted', async (type, content) => {
    expect((await sandbox.message({ to: TO, type, [type]: content })).status).toBe(200);
  });

  const bad: [string, number, string, unknown][] = [
    ['without its object', 131008, 'text', undefined],
    ['without text', 131008, 'text', {}],
    ['with too long a text', 100, 'text', { body: 'x'.repeat(4097) }],
    ['with a wrong preview flag', 100, 'text', { body: 'x', preview_url: 'yes' }],
    ['without id and link', 131008, 'image', {}],
    ['with too long a caption', 100, 'image', { id: '1', caption: 'x'.repeat(1025) }],
    ['with a caption of audio', 131009, 'audio', { id: '1', caption: 'x' }],
    ['beyond the pole', 131009, 'location', { latitude: 91, longitude: 0 }],
    ['with an empty list of contacts', 131008, 'contacts', []],
    ['with four buttons', 131009, 'interactive', buttons('a', 'b', 'c', 'd')],
    ['with the same button twice', 131009, 'interactive', buttons('a', 'a')],
    ['with eleven rows', 131009, 'interactive', list([...'abcdefghijk'].map((id) => ({ id, title: id })))],
    ['with too long a row title', 100, 'interactive', list([{ id: 'a', title: 'x'.repeat(25) }])],
    ['with an empty section', 131009, 'interactive', sections([{ id: 'a', title: 'A' }], [])],
    ['with a link that is no URL', 131009, 'interactive', link('shop')],
    ['of an unknown interactive type', 131009, 'interactive', { type: 'dance' }],
    ['without a message to react to', 131009, 'reaction', { emoji: '👍' }],
  ];
  it.each(bad)('%s is rejected with %i', async (_, code, type, content) => {
    const { status, body } = await sandbox.message({ to: TO, type, [type]: content });
    expect([status, body.error.code]).toEqual([400, code]);
  });

  it('may be a read receipt with a typing indicator, also outside the window', async () => {
    const receipt = { status: 'read', message_id: INBOUND_ID, typing_indicator: { type: 'text' } };
    expect((await sandbox.message(receipt)).body).toEqual({ success: true });
    expect((await sandbox.message({ status: 'read', message_id: 'x' })).body.error.code).toBe(131009);
  });
});
