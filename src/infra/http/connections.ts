import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { clientAddress, clientKey } from './client-address';

/** How many connections a server has, and how much it holds for clients that do not read. */
export interface ConnectionLimits {
  /** Of all clients. */
  total: number;
  /** Of one client: an IPv4 address or an IPv6 /64 network. */
  perAddress: number;
  /** Bytes of answers that wait to be read; above it connections are destroyed that take none of theirs. */
  unreadBytes: number;
  /** A connection that takes none of its answer for this long is destroyed. */
  unreadMs: number;
  /** Whether many clients may have this address, as behind a proxy: `perAddress` does not apply. */
  isShared: (address: string | undefined) => boolean;
}

interface Connection {
  /** Bytes that the client's side has taken over. */
  taken: number;
  /** Since when it has taken none of those that wait; null: none wait. */
  stuckSince: number | null;
}

const LOOK_EVERY_MS = 1000;
const WARN_EVERY_MS = 60_000;

/** Keeps the connections of a server within limits, from its start until it closes. */
export function boundConnections(server: Server, limits: ConnectionLimits, logger: Pick<Logger, 'warn'>): void {
  const open = new Map<Socket, Connection>();
  const ofAddress = new Map<string, number>();
  let warnedAt = -WARN_EVERY_MS;
  const refused = (why: string): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn(`Connections are refused: ${why}`);
  };

  server.maxConnections = limits.total;
  server.on('drop', () => refused(`${limits.total} open (MAX_CONNECTIONS)`));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (!limits.isShared(remoteAddress)) {
      const client = clientKey(clientAddress({ ip: remoteAddress }));
      const before = ofAddress.get(client) ?? 0;
      if (before >= limits.perAddress) {
        refused(`${before} open from ${client} (MAX_CONNECTIONS_PER_ADDRESS; list proxies in TRUSTED_PROXIES)`);
        return void socket.destroy();
      }
      ofAddress.set(client, before + 1);
      socket.once('close', () => leave(ofAddress, client));
    }
    open.set(socket, { taken: 0, stuckSince: null });
    socket.once('close', () => open.delete(socket));
  });
  const looking = setInterval(() => endUnread(open, limits), LOOK_EVERY_MS).unref();
  server.once('close', () => clearInterval(looking));
}

function leave(ofAddress: Map<string, number>, client: string): void {
  const left = ofAddress.get(client)! - 1;
  if (left > 0) ofAddress.set(client, left);
  else ofAddress.delete(client);
}

function endUnread(open: ReadonlyMap<Socket, Connection>, { unreadBytes, unreadMs }: ConnectionLimits): void {
  const now = performance.now();
  let unread = 0;
  const stuck: { socket: Socket; since: number }[] = [];
  for (const [socket, connection] of open) {
    const waiting = socket.writableLength;
    const taken = socket.bytesWritten - waiting;
    unread += waiting;
    if (waiting === 0) connection.stuckSince = null;
    else if (connection.stuckSince === null || taken > connection.taken) connection.stuckSince = now;
    else stuck.push({ socket, since: connection.stuckSince });
    connection.taken = taken;
  }
  for (const { socket, since } of stuck.sort((a, b) => a.since - b.since)) {
    if (unread <= unreadBytes && now - since <= unreadMs) return;
    unread -= socket.writableLength;
    socket.destroy();
  }
}
