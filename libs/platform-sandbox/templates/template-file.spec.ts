import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveSandbox, until } from '../fixtures/live-sandbox';
import { startSandbox } from '../sandbox';

const ACCOUNT = '204876543210002';
const OTHER_ACCOUNT = '204876543210009';
const BODY = { type: 'BODY', text: 'Dear {{1}}, hello.', example: { body_text: [['Mira']] } };

describe('The templates of a sandbox with a file', () => {
  let folder: string;
  let file: string;
  let sandbox: LiveSandbox;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    file = join(folder, 'data', 'templates.json');
    sandbox = await LiveSandbox.start({ autoApproveMs: 20 }, file);
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  async function restart(): Promise<void> {
    await sandbox.close();
    sandbox = await LiveSandbox.start({ autoApproveMs: 20 }, file);
  }
  const create = async (name: string, account = ACCOUNT): Promise<string> => {
    const draft = { name, language: 'en_US', category: 'UTILITY', components: [BODY] };
    return (await sandbox.call('POST', `/v25.0/${account}/message_templates`, draft)).body.id as string;
  };
  const templates = async (account = ACCOUNT) =>
    (await sandbox.call('GET', `/v25.0/${account}/message_templates?limit=100`)).body.data as Record<string, string>[];
  const statusOf = async (id: string) =>
    (await sandbox.call('GET', `/v25.0/${id}?fields=status`)).body.status as string;
  const approved = (id: string) => until(async () => (await statusOf(id)) === 'APPROVED');

  it('survive a restart with their ids, also of other accounts, and can be sent', async () => {
    const senders = [{ phoneNumberId: '109876543210009', businessAccountId: OTHER_ACCOUNT }];
    await sandbox.control('POST', 'config', { senders });
    const [id, other] = [await create('greeting'), await create('other', OTHER_ACCOUNT)];
    for (const one of [id, other]) await approved(one);
    await sandbox.call('DELETE', `/v25.0/${ACCOUNT}/message_templates?name=summer_sale`);
    const before = [await templates(), await templates(OTHER_ACCOUNT)];
    await restart();

    expect([await templates(), await templates(OTHER_ACCOUNT)]).toEqual(before);
    const value = { type: 'body', parameters: [{ type: 'text', text: 'Mira' }] };
    expect((await sandbox.template('4915112345678', 'greeting', [value])).status).toBe(200);
    expect((await sandbox.template('4915112345678', 'greeting', [])).body.error.code).toBe(132000);
    expect([id, other, ...before.flat().map((template) => template.id)]).not.toContain(await create('next'));
  });

  it('are reviewed after a restart that interrupted the review; seeded ones keep their status', async () => {
    await sandbox.control('POST', 'config', { autoApproveMs: -1 });
    const id = await create('greeting');
    await restart();
    await approved(id);

    expect((await templates()).find(({ name }) => name === 'pending_notice')).toMatchObject({ status: 'PENDING' });
  });

  it('keep changes made through the sandbox, until a reset', async () => {
    await sandbox.control('POST', 'templates', { name: 'hello_world', status: 'PAUSED' });
    await restart();
    const status = async () => (await templates()).find(({ name }) => name === 'hello_world')?.status;
    expect(await status()).toBe('PAUSED');
    await sandbox.control('POST', 'reset');
    await restart();
    expect(await status()).toBe('APPROVED');
  });

  it('are not replaced silently if the file is damaged', async () => {
    const damaged = join(folder, 'damaged.json');
    writeFileSync(damaged, '{"1":');
    await expect(startSandbox({ templateFile: damaged })).rejects.toThrow(`${damaged} is damaged`);
  });
});
