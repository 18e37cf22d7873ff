import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { clientAddress, clientKey } from '../access/client-address';

/** Limits of a server's connections and of its memory for clients that do not read. */
export interface ConnectionLimits {
  /** Connections of all clients. */
  total: number;
  /** Connections of one client: an IPv4 address or an IPv6 /64 network. */
  perAddress: number;
  /** Buffered response bytes; above it, stuck connections are destroyed. */
  unreadBytes: number;
  /** A connection whose client reads nothing for this long is destroyed. */
  unreadMs: number;
  /** Whether many clients may share this address, as behind a proxy: then `perAddress` does not apply. */
  isShared: (address: string | undefined) => boolean;
}

interface Connection {
  /** Bytes passed to the system. */
  sent: number;
  /** Since when it has sent none of its buffered bytes; null: none are buffered. */
  stuckSince: number | null;
}

const CHECK_EVERY_MS = 1000;
const WARN_EVERY_MS = 60_000;

/** Enforces the connection limits of a server until it closes. */
export function limitConnections(server: Server, limits: ConnectionLimits, logger: Pick<Logger, 'warn'>): void {
  const open = new Map<Socket, Connection>();
  const byClient = new Map<string, number>();
  let warnedAt = -WARN_EVERY_MS;
  const warnRefused = (why: string): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn(`Connections are refused: ${why}`);
  };

  server.maxConnections = limits.total;
  server.on('drop', () => warnRefused(`${limits.total} open (MAX_CONNECTIONS)`));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (!limits.isShared(remoteAddress)) {
      const client = clientKey(clientAddress({ ip: remoteAddress }));
      const before = byClient.get(client) ?? 0;
      if (before >= limits.perAddress) {
        warnRefused(`${before} open from ${client} (MAX_CONNECTIONS_PER_ADDRESS; list proxies in TRUSTED_PROXIES)`);
        return void socket.destroy();
      }
      byClient.set(client, before + 1);
      socket.once('close', () => release(byClient, client));
    }
    open.set(socket, { sent: 0, stuckSince: null });
    socket.once('close', () => open.delete(socket));
  });
  const checks = setInterval(() => destroyStuck(open, limits), CHECK_EVERY_MS).unref();
  server.once('close', () => clearInterval(checks));
}

function release(byClient: Map<string, number>, client: string): void {
  const left = byClient.get(client)! - 1;
  if (left > 0) byClient.set(client, left);
  else byClient.delete(client);
}

function destroyStuck(open: ReadonlyMap<Socket, Connection>, { unreadBytes, unreadMs }: ConnectionLimits): void {
  const now = performance.now();
  let unread = 0;
  const stuck: { socket: Socket; since: number }[] = [];
  for (const [socket, connection] of open) {
    const waiting = socket.writableLength;
    const sent = socket.bytesWritten - waiting;
    unread += waiting;
    if (waiting === 0) connection.stuckSince = null;
    else if (connection.stuckSince === null || sent > connection.sent) connection.stuckSince = now;
    else stuck.push({ socket, since: connection.stuckSince });
    connection.sent = sent;
  }
  for (const { socket, since } of stuck.sort((a, b) => a.since - b.since)) {
    if (unread <= unreadBytes && now - since <= unreadMs) return;
    unread -= socket.writableLength;
    socket.destroy();
  }
}
