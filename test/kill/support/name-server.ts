import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const A_RECORD = 1;

/** A DNS server that answers every name with the addresses that `addresses` returns at that moment. */
export class NameServer {
  private constructor(
    private readonly socket: Socket,
    readonly port: number,
  ) {}

  static async start(addresses: () => readonly string[]): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => socket.send(answer(query, addresses()), port, address));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, socket.address().port);
  }

  close(): void {
    this.socket.close();
  }
}

/** The response to a query with one question; RFC 1035, section 4. */
function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1;
  const question = query.subarray(HEADER_BYTES, endOfName + 4);
  const found = query.readUInt16BE(endOfName) === A_RECORD ? addresses : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const records = found.map((address) => {
    // A pointer to the name of the question, type A, class IN, a lifetime of one second, four bytes.
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, A_RECORD, 0, 1, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0]);
    record.set(address.split('.').map(Number), record.length - 4);
    return record;
  });
  return Buffer.concat([header, question, ...records]);
}
