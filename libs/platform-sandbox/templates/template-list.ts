import type { Exchange } from '../http/exchange';
import { json, type HandlerResult } from '../http/handler-result';
import { GraphError, invalidParameter } from '../http/graph-error';
import type { BusinessAccount } from '../account/directory';
import { templateView, unknownTemplateField, type Template } from './template';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
const TEMPLATE_COUNT_LIMIT = 6000;

/** The names in `fields`; nested field lists are rejected as unknown names. */
export function fieldsOf(exchange: Exchange): string[] {
  return (exchange.query.get('fields') ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}

/** Rejects unknown template fields. */
export function checkTemplateFields(fields: string[]): void {
  const unknown = unknownTemplateField(fields);
  if (unknown === undefined) return;
  throw invalidParameter(`Tried accessing nonexisting field (${unknown}) on node type (WhatsAppBusinessHSM)`);
}

/** `GET /{business-account-id}/message_templates`: filters, fields and cursors; `next` and `previous` are absolute. */
export function listTemplates(exchange: Exchange, account: BusinessAccount): HandlerResult {
  const { query } = exchange;
  const fields = fieldsOf(exchange);
  checkTemplateFields(fields);
  const limit = limitOf(query.get('limit'));
  const matching = account.templates.all().filter((template) => matches(template, query));
  const page = pageOf(matching, limit, query.get('after'), query.get('before'));
  const summary = query.get('summary') === null ? {} : { summary: summaryOf(account, matching.length) };
  const data = page.items.map((template) => templateView(template, fields));
  return json({ data, ...pagingOf(exchange, page, limit), ...summary });
}

interface TemplatePage {
  items: Template[];
  hasNext: boolean;
  hasPrevious: boolean;
}

function pageOf(all: Template[], limit: number, after: string | null, before: string | null): TemplatePage {
  let start = 0;
  let end = Math.min(limit, all.length);
  if (after !== null && after !== '') {
    const order = orderOf(after);
    start = countWhile(all, (template) => template.order >= order);
    end = Math.min(start + limit, all.length);
  } else if (before !== null && before !== '') {
    const order = orderOf(before);
    end = countWhile(all, (template) => template.order > order);
    start = Math.max(0, end - limit);
  }
  return { items: all.slice(start, end), hasNext: end < all.length, hasPrevious: start > 0 };
}

function pagingOf(exchange: Exchange, { items, hasNext, hasPrevious }: TemplatePage, limit: number): object {
  const first = items[0];
  const last = items.at(-1);
  if (first === undefined || last === undefined) return {};
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const link = (side: 'after' | 'before') => {
    const query = new URLSearchParams(exchange.query);
    for (const name of ['after', 'before', 'access_token']) query.delete(name);
    query.set('limit', String(limit));
    query.set(side, cursors[side]);
    const version = exchange.version === '' ? '' : `/${exchange.version}`;
    return `${exchange.origin}${version}/${exchange.segments.join('/')}?${query.toString()}`;
  };
  return {
    paging: { cursors, ...(hasNext && { next: link('after') }), ...(hasPrevious && { previous: link('before') }) },
  };
}

function matches(template: Template, query: URLSearchParams): boolean {
  const isOneOf = (name: string, value: string) => {
    const filter = query.get(name);
    if (filter === null || filter === '') return true;
    return filter
      .replace(/[[\]"\s]/g, '')
      .toUpperCase()
      .split(',')
      .includes(value.toUpperCase());
  };
  const name = query.get('name');
  const words = query.get('name_or_content')?.toLowerCase();
  const content = query.get('content')?.toLowerCase();
  const text = JSON.stringify(template.components).toLowerCase();
  return (
    isOneOf('status', template.status) &&
    isOneOf('language', template.language) &&
    isOneOf('category', template.category) &&
    isOneOf('quality_score', template.quality.score) &&
    (name === null || template.name.includes(name)) &&
    (words === undefined || template.name.includes(words) || text.includes(words)) &&
    (content === undefined || text.includes(content))
  );
}

function limitOf(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw invalidParameter('Param limit must be a positive integer.');
  return Math.min(Number(text), MAX_LIMIT);
}

function cursorOf({ order }: Template): string {
  return `QVFI${Buffer.from(`template:${order}`).toString('base64url')}`;
}

function orderOf(cursor: string): number {
  const text = Buffer.from(cursor.replace(/^QVFI/, ''), 'base64url').toString();
  const order = /^template:(\d+)$/.exec(text)?.[1];
  if (order === undefined) throw new GraphError(131059, { details: 'Start again without before and after.' });
  return Number(order);
}

function countWhile(all: Template[], holds: (template: Template) => boolean): number {
  const end = all.findIndex((template) => !holds(template));
  return end < 0 ? all.length : end;
}

function summaryOf(account: BusinessAccount, total: number): object {
  const count = account.templates.all().length;
  return { total_count: total, message_template_count: count, message_template_limit: TEMPLATE_COUNT_LIMIT };
}
