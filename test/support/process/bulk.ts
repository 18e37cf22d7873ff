import { utils, write } from '@e965/xlsx';
import {
  addGroupContacts,
  cancelBulkJob,
  createGroup,
  getBulkJobStatus,
  pauseBulkJob,
  resumeBulkJob,
} from '../../../libs/client/generated/sdk.gen';
import type { BulkJobDetailDto, BulkJobStatusDto, JobRecipientDto } from '../../../libs/client/generated/types.gen';
import type { InputOf } from '../../../libs/client/calls';
import type { ImportOptions, MessagingClient } from '../../../libs/client/messaging-client';
import type { Client } from './client';
import { until } from './service';

const CONTACTS_AT_ONCE = 1000;
const CONTROLS = { pause: pauseBulkJob, resume: resumeBulkJob, cancel: cancelBulkJob };
type RecipientFilter = Parameters<MessagingClient['recipients']>[1];

/** A number without a special sandbox ending; unique for each `n` below 10 million. */
export function phone(n: number): string {
  return `4915${20_001_000 + Math.floor(n / 9000) * 10_000 + (n % 9000)}`;
}

/** `count` different numbers, starting at `first`. */
export function phones(count: number, first = 0): string[] {
  return Array.from({ length: count }, (_, index) => phone(first + index));
}

/** Generates unique numbers. */
export function newPhones(): (count: number) => string[] {
  let next = 0;
  return (count) => phones(count, (next += count) - count);
}

/** A file with one phone per row and no values, for the template `hello_world`. */
export function listOf(numbers: readonly string[]): { name: string; content: string } {
  return { name: 'list.csv', content: `phone\n${numbers.join('\n')}\n` };
}

/** The rows as a workbook with text cells, or as a CSV file. */
export function fileOf(
  type: 'xlsx' | 'xls' | 'csv',
  rows: readonly (readonly string[])[],
): { name: string; content: Buffer } {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Sheet1');
  const content = write(book, { type: 'buffer', bookType: type === 'xls' ? 'biff8' : type }) as Buffer;
  return { name: `list.${type}`, content };
}

/** Sends `hello_world` to the numbers; returns the job id. */
export async function sendTo(
  client: Client,
  numbers: readonly string[],
  fields: Partial<ImportOptions> = {},
  key?: string,
): Promise<string> {
  const { name, content } = listOf(numbers);
  const file = new File([content], name);
  return (await client.messaging(key).importFile({ file, templateName: 'hello_world', ...fields })).jobId;
}

/** Pauses, resumes or cancels the job. */
export async function control(
  client: Client,
  action: keyof typeof CONTROLS,
  jobId: string,
  key?: string,
): Promise<BulkJobDetailDto> {
  return client.messaging(key).call(CONTROLS[action], { path: { jobId } });
}

/** The current progress of the job. */
export function progressOf(client: Client, jobId: string, key?: string): Promise<BulkJobStatusDto> {
  return client.messaging(key).call(getBulkJobStatus, { path: { jobId } });
}

/** Waits until the job's last recipient is settled, even if the service fails meanwhile; returns the job detail. */
export async function ended(client: Client, jobId: string, ms = 60_000, key?: string): Promise<BulkJobDetailDto> {
  const signal = AbortSignal.timeout(ms);
  const waiting = client.messaging(key, { retries: Infinity, maxWaitMs: ms });
  try {
    return await waiting.waitForJob(jobId, { signal, pollMs: 100 });
  } catch (error) {
    throw signal.aborted ? new Error(`Not within ${ms} ms: job ${jobId} is at its end`) : error;
  }
}

/** The current job detail. */
export function detailOf(client: Client, jobId: string, key?: string): Promise<BulkJobDetailDto> {
  return client.messaging(key).job(jobId);
}

/** Every recipient of the job, read page by page. */
export async function recipientsOf(
  client: Client,
  jobId: string,
  filter: RecipientFilter = {},
  key?: string,
): Promise<JobRecipientDto[]> {
  const found: JobRecipientDto[] = [];
  for await (const recipient of client.messaging(key).recipients(jobId, filter)) found.push(recipient);
  return found;
}

/** Creates a group of these contacts; returns its id. */
export async function groupOf(
  client: Client,
  name: string,
  contacts: InputOf<typeof addGroupContacts>['body']['contacts'],
  key?: string,
): Promise<string> {
  const messaging = client.messaging(key);
  const { id } = await messaging.call(createGroup, { body: { name } });
  for (let from = 0; from < contacts.length; from += CONTACTS_AT_ONCE) {
    const body = { contacts: contacts.slice(from, from + CONTACTS_AT_ONCE) };
    const { invalid } = await messaging.call(addGroupContacts, { path: { groupId: id }, body });
    if (invalid > 0) throw new Error(`${invalid} contacts were not taken`);
  }
  return id;
}

/** Waits until at least `count` of the job's recipients are settled. */
export async function settled(client: Client, jobId: string, count: number, ms = 60_000): Promise<void> {
  const isThere = async () => {
    const { successfullySent, failed } = await progressOf(client, jobId);
    return successfullySent + failed >= count;
  };
  await until(isThere, ms, `${count} recipients of job ${jobId} are settled`);
}

/** Duplicates in the list. */
export function doubled(list: readonly string[]): string[] {
  const seen = new Set<string>();
  return list.filter((item) => seen.has(item) || !seen.add(item));
}
