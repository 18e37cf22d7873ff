import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { refuseConnections } from './refuse-connections';

const TURN_MS = 5;

it('A server under constant load stops listening, although every turn of the event loop accepts a connection', async () => {
  const server = createServer();
  let isOver = false;
  const turn = (): void => {
    if (isOver) return;
    const started = performance.now();
    while (performance.now() - started < TURN_MS);
    server.emit('connection', new Socket());
    setImmediate(turn);
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  turn();
  const started = performance.now();
  await refuseConnections(server);
  isOver = true;
  expect(server.listening).toBe(false);
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('A connection accepted before still has time to bring its request', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  await accepted;
  let isRefused = false;
  const refused = refuseConnections(server).then(() => (isRefused = true));
  await pause(200);
  expect([server.listening, isRefused]).toEqual([false, false]);
  client.destroy();
  await refused;
});

it('Without open connections it ends immediately', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const started = performance.now();
  await refuseConnections(server);
  expect(performance.now() - started).toBeLessThan(400);
});
