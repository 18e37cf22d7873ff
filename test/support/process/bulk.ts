import { utils, write } from '@e965/xlsx';
import type { Client } from './client';
import { until } from './service';

/** Where a job stands, as endpoint 5 tells it. */
export interface Progress {
  jobId: string;
  status: string;
  totalRecipients: number;
  successfullySent: number;
  failed: number;
  progressPercentage: number;
}

/** Everything about a job that the tests look at. */
export interface Detail extends Progress {
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  pending: number;
  skipped: number;
  unknown: number;
  invalidRows: number;
  throttled: { reason: string; until: string } | null;
  allowedActions: string[];
  [other: string]: unknown;
}

/** A recipient of a job as the list of them tells it. */
export interface Recipient {
  rowNumber: number;
  phone: string;
  parameters: string[];
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  platformCode: number | null;
  messageId: string | null;
  platformMessageId: string | null;
  attempts: number;
  updatedAt: string;
}

/** A number that no ending of the sandbox applies to; different for each `n` below 10 million. */
export function phone(n: number): string {
  return `4915${20_001_000 + Math.floor(n / 9000) * 10_000 + (n % 9000)}`;
}

/** `count` different numbers, from the `first` on. */
export function phones(count: number, first = 0): string[] {
  return Array.from({ length: count }, (_, index) => phone(first + index));
}

/** Hands out numbers, each once. */
export function newPhones(): (count: number) => string[] {
  let next = 0;
  return (count) => phones(count, (next += count) - count);
}

/** A file with a phone in each row and no values, for the template `hello_world`. */
export function listOf(numbers: readonly string[]): { name: string; content: string } {
  return { name: 'list.csv', content: `phone\n${numbers.join('\n')}\n` };
}

/** The rows in a workbook whose cells are text, or in a csv file. */
export function fileOf(
  type: 'xlsx' | 'xls' | 'csv',
  rows: readonly (readonly string[])[],
): { name: string; content: Buffer } {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Sheet1');
  const content = write(book, { type: 'buffer', bookType: type === 'xls' ? 'biff8' : type }) as Buffer;
  return { name: `list.${type}`, content };
}

/** Sends `hello_world` to the numbers; the id of the job. */
export async function sendTo(
  client: Client,
  numbers: readonly string[],
  fields: Record<string, string> = {},
  key?: string,
): Promise<string> {
  const answer = await client.upload(listOf(numbers), { templateName: 'hello_world', ...fields }, { key });
  if (answer.status !== 202)
    throw new Error(`The upload was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.jobId as string;
}

/** Where the job stands now. */
export async function progressOf(client: Client, jobId: string, key?: string): Promise<Progress> {
  const answer = await client.get(`/bulk-jobs/${jobId}/status`, { key });
  if (answer.status !== 200)
    throw new Error(`The status was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as Progress;
}

/** Waits until the job's last recipient is settled; the detail of the job. */
export async function ended(client: Client, jobId: string, ms = 30_000, key?: string): Promise<Detail> {
  await until(async () => Boolean((await detailOf(client, jobId, key)).completedAt), ms, `job ${jobId} is at its end`);
  return detailOf(client, jobId, key);
}

/** Everything about the job now. */
export async function detailOf(client: Client, jobId: string, key?: string): Promise<Detail> {
  return (await client.get(`/bulk-jobs/${jobId}`, { key })).body as Detail;
}

/** Every recipient of the job, read page by page. */
export async function recipientsOf(client: Client, jobId: string, query = '', key?: string): Promise<Recipient[]> {
  const found: Recipient[] = [];
  let cursor: string | null = '0';
  while (cursor !== null) {
    const { body } = await client.get(`/bulk-jobs/${jobId}/recipients?limit=200&cursor=${cursor}${query}`, { key });
    found.push(...(body.items as Recipient[]));
    cursor = body.nextCursor as string | null;
  }
  return found;
}

/** Waits until at least `count` of the job's recipients are settled. */
export async function settled(client: Client, jobId: string, count: number, ms = 20_000): Promise<void> {
  const isThere = async () => {
    const { successfullySent, failed } = await progressOf(client, jobId);
    return successfullySent + failed >= count;
  };
  await until(isThere, ms, `${count} recipients of job ${jobId} are settled`);
}

/** Those who stand in the list more than once. */
export function doubled(list: readonly string[]): string[] {
  const seen = new Set<string>();
  return list.filter((item) => seen.has(item) || !seen.add(item));
}
