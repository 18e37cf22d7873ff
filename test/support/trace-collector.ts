import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector received it; ids in hexadecimal. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it began a trace. */
  parentId: string;
  name: string;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, string | number | boolean>;
  /** Message of a failure; absent: it succeeded. */
  error?: string;
  resource: Record<string, string | number | boolean>;
}

/** A collector of traces: an HTTP server for OTLP (protobuf). `answers`: false lets requests wait forever. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  /** Everything received, to search for what must not be in it. */
  bytes = '';
  requests = 0;
  answers = true;
  url: string;
  private server: Server;

  async start(): Promise<this> {
    this.server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        this.requests++;
        this.headers.push(incoming.headers);
        const body = Buffer.concat(chunks);
        this.bytes += body.toString('latin1');
        if (incoming.url === '/v1/traces') this.spans.push(...spansIn(body));
        if (this.answers) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** The fields of one protobuf message, by number: bytes, or a number for varints and fixed ones. */
type Fields = Map<number, (Buffer | number)[]>;

function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const fixed = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = varint();
    const readers = [varint, () => fixed(8), () => fixed(varint()), null, null, () => fixed(4)];
    const value = readers[tag & 7]!();
    const number = tag >>> 3;
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesOf = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const textOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString('utf8');
const hexOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString('hex');

/** ExportTraceServiceRequest of opentelemetry-proto. */
function spansIn(body: Buffer): CollectedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0] ?? new Map(), 1);
    return messages(ofResource, 2).flatMap((scope) => messages(scope, 2).map((span) => spanOf(span, resource)));
  });
}

function spanOf(span: Fields, resource: CollectedSpan['resource']): CollectedSpan {
  const status = messages(span, 15)[0] ?? new Map();
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    name: textOf(span, 5),
    links: messages(span, 13).map((link) => ({ traceId: hexOf(link, 1), spanId: hexOf(link, 2) })),
    attributes: attributesOf(span, 9),
    ...(status.has(2) && { error: textOf(status, 2) }),
    resource,
  };
}

function attributesOf(of: Fields, number: number): CollectedSpan['attributes'] {
  const entries = messages(of, number).map((pair): [string, string | number | boolean] => {
    const value = messages(pair, 2)[0]!;
    if (value.has(1)) return [textOf(pair, 1), textOf(value, 1)];
    const [number = 0] = (value.get(3) ?? value.get(2) ?? []) as number[];
    return [textOf(pair, 1), value.has(2) ? number === 1 : number];
  });
  return Object.fromEntries(entries);
}
