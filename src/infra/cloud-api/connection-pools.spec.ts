import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPools } from './connection-pools';
import { Exchange } from './exchange';

describe('ConnectionPools', () => {
  let server: Server;
  let pools: ConnectionPools;
  let connections = 0;
  const held: ServerResponse[] = [];

  beforeEach(async () => {
    connections = 0;
    held.splice(0);
    server = createServer((_request, response) => held.push(response)).on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await pools.destroy();
    server.closeAllConnections();
    server.close();
  });

  const open = (most: number) => {
    pools = new ConnectionPools(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, most, {});
  };
  const call = () => {
    const exchange = new Exchange({ connectionWaitMs: 30_000, responseMs: 30_000 });
    pools.dispatch({ path: '/', method: 'GET' }, exchange, exchange.result);
    return exchange.result;
  };
  const untilHeld = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('use all allowed connections before a request waits', async () => {
    open(130);
    const calls = Array.from({ length: 140 }, call);
    await untilHeld(130);
    for (let answered = 0; answered < 140; answered++) {
      await untilHeld(answered + 1);
      held[answered]!.end('{}');
    }
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ kind: 'response', status: 200, text: '{}' })));
    expect(connections).toBe(130);
  });

  it('reuse connections before opening others, across all pools', async () => {
    open(200);
    for (let done = 0; done < 5; done++) {
      const answered = call();
      await untilHeld(done + 1);
      held.at(-1)!.end('{}');
      await answered;
    }
    // undici may open another one before it sees that the first is free again.
    expect(connections).toBeLessThanOrEqual(2);
  });
});
