import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LiveSandbox } from './fixtures/live-sandbox';
import { startSandbox } from './sandbox';

describe('A sandbox', () => {
  it('reports that its port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startSandbox({ port })).rejects.toThrow(`SANDBOX_PORT: 127.0.0.1:${port} is already in use.`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('rejects an invalid configuration', async () => {
    const config: object = { speed: 1 };
    await expect(startSandbox({ config })).rejects.toThrow('speed');
  });

  it('shares nothing with another sandbox in the same process', async () => {
    const [one, two] = await Promise.all([LiveSandbox.start(), LiveSandbox.start()]);
    await one.order('491511239998');
    await two.control('POST', 'config', { refuseNext: { code: 4, count: 5 } });
    expect([(await one.ledger()).length, (await two.ledger()).length]).toEqual([1, 0]);
    expect((await one.order('491511239998')).status).toBe(200);
    await Promise.all([one.close(), two.close()]);
  });

  it('frees its port immediately, even with open connections', async () => {
    const first = await startSandbox();
    const open = fetch(`${first.url}/sandbox/stats`);
    await first.close();
    await open.catch(() => undefined);
    const second = await startSandbox({ port: first.port });
    expect(second.port).toBe(first.port);
    await second.close();
  });

  it('rejects malformed JSON in the format of the platform', async () => {
    const sandbox = await LiveSandbox.start();
    const response = await fetch(`${sandbox.url}/v25.0/109876543210001/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-access-token' },
      body: '{"messaging_product":',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 100 } }]);
    await sandbox.close();
  });
});
