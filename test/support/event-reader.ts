/** One server-sent event. */
export interface ReadEvent {
  type: string;
  id: string | null;
  data: ReturnType<JSON['parse']>;
}

/** A client of a stream of server-sent events. */
export class EventReader {
  /** All received events. */
  readonly events: ReadEvent[] = [];
  /** Number of received comments. */
  comments = 0;
  /** Resolves when the stream has ended or was closed. */
  readonly ended: Promise<void>;
  private readonly waiting: (() => void)[] = [];
  private isOver = false;

  private constructor(
    readonly response: Response,
    private readonly connection: AbortController,
  ) {
    this.ended = this.read().catch(() => undefined);
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const connection = new AbortController();
    return new EventReader(await fetch(url, { headers, signal: connection.signal }), connection);
  }

  /** The id of the last event. */
  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  /** Resolves with the last event once there are `count`; rejects if the stream ends first. */
  async have(count: number): Promise<ReadEvent> {
    while (this.events.length < count) {
      if (this.isOver) throw new Error(`The stream ended after ${this.events.length} events`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return this.events[count - 1]!;
  }

  /** Disconnects. */
  async close(): Promise<void> {
    this.connection.abort();
    await this.ended;
  }

  private async read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body ?? []) {
        const blocks = (text + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) this.take(block);
        this.waiting.splice(0).forEach((wake) => wake());
      }
    } finally {
      this.isOver = true;
      this.waiting.splice(0).forEach((wake) => wake());
    }
  }

  private take(block: string): void {
    if (block.startsWith(':')) this.comments++;
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
    );
    const data = fields.get('data');
    if (data === undefined) return;
    this.events.push({ type: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) });
  }
}
