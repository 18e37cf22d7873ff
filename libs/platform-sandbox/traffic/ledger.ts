/** An entry of the ledger: one accepted message. */
export interface LedgerEntry {
  seq: number;
  to: string;
  messageId: string;
  callbackData: string | null;
  /** Template name; null for a free-form message. */
  template: string | null;
  language: string | null;
  /** The values in the order header, body, buttons; a one-time password appears once. */
  parameters: string[];
  /** Time of acceptance, ISO 8601. */
  at: string;
  phoneNumberId: string;
  type: string;
  /** Media or location of the template's header, as sent. */
  header?: unknown;
  /** Payloads of the template's quick-reply buttons by button index, as sent. */
  payloads?: Record<string, string>;
  /** The header `traceparent` of the request. */
  traceparent?: string;
}

/** The common properties of similar entries, stored once. */
export interface MessageKind {
  phoneNumberId: string;
  type: string;
  template: string | null;
  language: string | null;
  category: string;
}

/** The data of a message when it is accepted. */
export interface AcceptedMessage {
  kind: MessageKind;
  to: string;
  messageId: string;
  callbackData: string | null;
  parameters: string[];
  header?: unknown;
  payloads?: Record<string, string>;
  traceparent?: string;
}

type Line = [
  to: string,
  messageId: string,
  callbackData: string | null,
  kind: number,
  parameters: string[],
  at: number,
  header?: unknown,
  payloads?: Record<string, string> | null,
  traceparent?: string,
];

interface Page {
  firstSeq: number;
  bytes: Buffer;
  used: number;
  ends: number[];
}

const PAGE_BYTES = 1 << 20;
const ENTRIES_PER_CHUNK = 2000;

/**
 * Every accepted message in order of acceptance, numbered from 1.
 * Entries are short lines in pages of 1 MB outside the JavaScript heap, about 200 bytes each; when there are more than
 * `limit` entries, the oldest pages are dropped.
 */
export class Ledger {
  private pages: Page[] = [];
  private kinds: MessageKind[] = [];
  private readonly kindIndex = new Map<string, number>();
  private last = 0;

  constructor(private readonly limit: () => number) {}

  /** Number of the newest entry; 0 if there is none. */
  get lastSeq(): number {
    return this.last;
  }

  /** Number of the oldest remaining entry. */
  get firstSeq(): number {
    return this.pages[0]?.firstSeq ?? this.last + 1;
  }

  /** Appends a message and returns its number. */
  append(message: AcceptedMessage, at: number): number {
    const line: Line = [
      message.to,
      message.messageId,
      message.callbackData,
      this.indexOf(message.kind),
      message.parameters,
      at,
    ];
    const { header, payloads, traceparent } = message;
    if (traceparent !== undefined) line.push(header, payloads, traceparent);
    else if (payloads !== undefined) line.push(header, payloads);
    else if (header !== undefined) line.push(header);
    const text = JSON.stringify(line);
    const size = Buffer.byteLength(text);
    const page = this.pageWith(size);
    page.bytes.write(text, page.used);
    page.used += size;
    page.ends.push(page.used);
    this.last += 1;
    return this.last;
  }

  /** The entry with this number and its kind; undefined if it has been dropped. */
  read(seq: number): { entry: LedgerEntry; kind: MessageKind; acceptedAt: number } | undefined {
    const page = this.pageOf(seq);
    if (page === undefined) return undefined;
    const index = seq - page.firstSeq;
    const end = page.ends[index];
    if (end === undefined) return undefined;
    const start = index === 0 ? 0 : (page.ends[index - 1] ?? 0);
    const [to, messageId, callbackData, kindNumber, parameters, at, header, payloads, traceparent] = JSON.parse(
      page.bytes.toString('utf8', start, end),
    ) as Line;
    const kind = this.kinds[kindNumber];
    if (kind === undefined) return undefined;
    const { template, language, phoneNumberId, type } = kind;
    const time = new Date(at).toISOString();
    const entry: LedgerEntry = {
      seq,
      to,
      messageId,
      callbackData,
      template,
      language,
      parameters,
      at: time,
      phoneNumberId,
      type,
      ...(header !== undefined && header !== null && { header }),
      ...(payloads && { payloads }),
      ...(traceparent !== undefined && { traceparent }),
    };
    return { entry, kind, acceptedAt: at };
  }

  /** At most `limit` entries after `after`, as chunks of the JSON text `{"items":[…]}`, so that slow readers cost no memory. */
  *jsonChunks(after: number, limit: number): Generator<string> {
    const until = Math.min(this.last, after + limit);
    let separator = '';
    let piece = '{"items":[';
    for (let seq = Math.max(after + 1, this.firstSeq); seq <= until; seq++) {
      const found = this.read(seq);
      if (found === undefined) continue;
      piece += separator + JSON.stringify(found.entry);
      separator = ',';
      if (seq % ENTRIES_PER_CHUNK === 0) {
        yield piece;
        piece = '';
      }
    }
    yield `${piece}]}`;
  }

  /** Removes all entries; numbering restarts at 1. */
  clear(): void {
    this.pages = [];
    this.kinds = [];
    this.kindIndex.clear();
    this.last = 0;
  }

  private pageWith(size: number): Page {
    const newest = this.pages.at(-1);
    if (newest !== undefined && newest.used + size <= newest.bytes.length) return newest;
    const page = {
      firstSeq: this.last + 1,
      bytes: Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, size)),
      used: 0,
      ends: [],
    };
    this.pages.push(page);
    while (this.pages.length > 1 && this.last - (this.pages[1]?.firstSeq ?? 0) + 1 >= this.limit()) this.pages.shift();
    return page;
  }

  private pageOf(seq: number): Page | undefined {
    let low = 0;
    let high = this.pages.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const page = this.pages[middle];
      if (page === undefined || page.firstSeq > seq) high = middle - 1;
      else if (seq >= page.firstSeq + page.ends.length) low = middle + 1;
      else return page;
    }
    return undefined;
  }

  private indexOf(kind: MessageKind): number {
    const key = `${kind.phoneNumberId} ${kind.type} ${kind.template} ${kind.language} ${kind.category}`;
    let index = this.kindIndex.get(key);
    if (index === undefined) {
      index = this.kinds.push(kind) - 1;
      this.kindIndex.set(key, index);
    }
    return index;
  }
}
