import type { Answer, Client } from '../../support/process/client';
import { listOf, newPhones } from '../../support/process/bulk';
import { inboundOf, postWebhook } from '../../support/process/webhook';
import type { Service } from '../../support/process/service';
import { pause } from '../processes';

/** A request with its response; status null: the connection broke. */
export interface AnsweredRequest {
  what: string;
  status: number | null;
  code: string;
  retryAfter: string | null;
}

/** Existing resources to request. */
export interface Resources {
  groupId: string;
  contactId: string;
  templateId: string;
  jobId: string;
  messageId: string;
  conversationId: string;
  accountId: string;
}

const CALLERS = 24;
const REST_MS = 5;

/** Sends requests of every kind, many concurrently, and records the responses. */
export class Storm {
  readonly answered: AnsweredRequest[] = [];
  private readonly fresh = newPhones();
  private readonly callers: Promise<void>[] = [];
  private over = false;
  private next = 0;

  constructor(
    private readonly client: Client,
    private readonly service: Service,
    private readonly resources: Resources,
  ) {}

  begin(): void {
    for (let n = 0; n < CALLERS; n++) this.callers.push(this.ask());
  }

  /** Resolves when every request has its response. */
  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.callers);
  }

  private async ask(): Promise<void> {
    const kinds = [...this.reads(), ...this.writes()];
    while (!this.over) {
      const [what, call] = kinds[this.next++ % kinds.length]!;
      this.answered.push({ what, ...(await call().then(readable, broken)) });
      await pause(REST_MS);
    }
  }

  private reads(): [string, () => Promise<Answer>][] {
    const { groupId, contactId, templateId, jobId, messageId, conversationId, accountId } = this.resources;
    const paths = [
      ...['/me', '/api-keys', '/accounts', `/accounts/${accountId}`, '/settings/history', '/settings/opt-out-keywords'],
      ...['/templates', `/templates/${templateId}`, '/groups', `/groups/${groupId}`, `/groups/${groupId}/contacts`],
      ...['/contacts?search=a', `/contacts/${contactId}`, '/opt-outs', '/conversations', '/messages'],
      ...[`/conversations/${conversationId}`, `/conversations/${conversationId}/messages`, `/messages/${messageId}`],
      ...['/bulk-jobs', `/bulk-jobs/${jobId}`, `/bulk-jobs/${jobId}/status`, `/bulk-jobs/${jobId}/recipients`],
      `/conversations/${conversationId}/export`,
    ];
    return paths.map((path) => [`GET ${path}`, () => this.client.get(path)]);
  }

  private writes(): [string, () => Promise<Answer>][] {
    const { groupId, templateId, conversationId, accountId } = this.resources;
    const { client } = this;
    const phone = () => this.fresh(1)[0]!;
    const message = () => ({ to: phone(), templateName: 'hello_world' });
    const posts: [string, () => unknown][] = [
      ['/send-template', message],
      ['/groups', () => ({ name: `Group ${phone()}` })],
      ['/contacts', () => ({ phone: phone() })],
      [`/groups/${groupId}/contacts`, () => ({ contacts: [{ phone: phone() }, { phone: phone() }] })],
      ['/opt-outs', () => ({ phone: phone() })],
      ['/api-keys', () => ({ name: phone(), scopes: ['templates:read'] })],
      [`/templates/${templateId}/preview`, () => ({ templateParameters: [] })],
      [`/conversations/${conversationId}/read`, () => ({})],
    ];
    return [
      ...posts.map(([path, body]): [string, () => Promise<Answer>] => [
        `POST ${path}`,
        () => client.post(path, body()),
      ]),
      [
        'POST /send-template once',
        () => client.post('/send-template', message(), { headers: { 'idempotency-key': `storm-${phone()}` } }),
      ],
      ['POST /bulk-import-messages', () => client.upload(listOf(this.fresh(5)), { templateName: 'hello_world' })],
      [
        `PATCH /accounts/${accountId}`,
        () => client.call('PATCH', `/accounts/${accountId}`, { body: { sendingPaused: false } }),
      ],
      ['PUT /settings/history', () => client.call('PUT', '/settings/history', { body: { retentionDays: 90 } })],
      ['POST webhook', () => this.report()],
    ];
  }

  private async report(): Promise<Answer> {
    const response = await postWebhook(this.service, inboundOf(this.fresh(1)[0]!));
    await response.text();
    return { status: response.status, headers: response.headers, body: null };
  }
}

function readable({ status, headers, body }: Answer): Omit<AnsweredRequest, 'what'> {
  const code = (body as { code?: unknown } | null)?.code;
  return { status, code: typeof code === 'string' ? code : '', retryAfter: headers.get('retry-after') };
}

function broken(error: unknown): Omit<AnsweredRequest, 'what'> {
  return { status: null, code: String(error), retryAfter: null };
}
