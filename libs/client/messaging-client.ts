import {
  type CallOptions,
  Calls,
  type InputOf,
  type MessagingClientOptions,
  type Operation,
  type OutputOf,
} from './calls';
import { type FileSource, fileOf, withJsonLists } from './file-source';
import type {
  BulkImportFormDto,
  BulkJobDetailDto,
  ContactImportFormDto,
  ContactsImportedDto,
  CreatedGroupJobDto,
  CreatedJobDto,
  CreatedRetryDto,
  FileCheckDto,
  GroupSendDto,
  RecipientCheckDto,
  ReplyDto,
  RetryCheckDto,
  RetryJobDto,
  SendTemplateDto,
  SentMessageDto,
  SentReplyDto,
} from './generated/types.gen';
import * as operations from './generated/sdk.gen';
import { JobWait, type WaitOptions } from './job-wait';
import { nextPageOf, type Page } from './next-page';

const MAX_PAGE_SIZE = 100;
const MAX_LIMIT = 200;

/** A recipient file and its send options. */
export interface ImportOptions extends Omit<BulkImportFormDto, 'file' | 'dryRun'> {
  /** A File or Blob, or in Node a path. */
  file: FileSource;
  /** File name shown in the job (default: the name of the file). */
  fileName?: string;
}

/** A file of contacts and how to read it. */
export interface ContactFile extends Omit<ContactImportFormDto, 'file' | 'dryRun'> {
  /** A File or Blob, or in Node a path. */
  file: FileSource;
}

/** The options of a group send. */
export type GroupSendOptions = Omit<GroupSendDto, 'dryRun'>;

/** Which recipients of a job to retry. */
export type RetryOptions = Omit<RetryJobDto, 'dryRun'>;

type UploadOptions = CallOptions & { streamed?: boolean };
type ItemOf<O extends Operation> = OutputOf<O> extends { items: (infer T)[] } ? T : never;
type QueryOf<O extends Operation> =
  InputOf<O> extends { query?: infer Q } ? Omit<NonNullable<Q>, 'cursor' | 'page'> : never;

/**
 * A client of the messaging service. Every method throws MessagingError on failure.
 *
 * Sends carry an idempotency key automatically, so an interrupted call is retried without sending twice. 429 and 503 are retried
 * after the wait that the service requests. For endpoints without a method here, use `call` with a function of `operations`: it
 * applies the same key, retries and errors.
 *
 * @example
 * const messaging = new MessagingClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: process.env.MESSAGING_API_KEY! });
 */
export class MessagingClient {
  private readonly calls: Calls;

  constructor(options: MessagingClientOptions) {
    this.calls = new Calls(options);
  }

  /**
   * Sends a template to one person. `status` is `Sent`, `Queued` (will be sent shortly) or `Unknown` (settled later, never sent
   * twice).
   *
   * @example
   * const message = await messaging.sendTemplate(
   *   { to: '4915112345678', templateName: 'order_update', templateParameters: [{ text: 'Mira' }, { text: 'PK-7731' }] },
   *   { idempotencyKey: 'order-4711-shipped' },
   * );
   * console.log(message.messageId, message.status);
   */
  sendTemplate(message: SendTemplateDto, options?: CallOptions): Promise<SentMessageDto> {
    return this.call(operations.sendTemplate, { body: message }, options);
  }

  /**
   * Sends a template to all recipients in a file (xlsx, xls or CSV; each row has a phone number and the values). When this
   * resolves, the job has all its recipients.
   *
   * @example
   * const job = await messaging.importFile({ file: 'customers.xlsx', templateName: 'order_update', reference: 'spring' });
   * console.log(job.jobId, job.totalRecipients, job.invalidRows);
   */
  async importFile(file: ImportOptions, options: CallOptions = {}): Promise<CreatedJobDto> {
    return (await this.uploadRecipients({ ...file, dryRun: 'false' }, options)) as CreatedJobDto;
  }

  /**
   * Dry run of `importFile`: returns errors, columns, the first messages and the schedule. Sends nothing.
   *
   * @example
   * const check = await messaging.checkFile({ file: 'customers.xlsx', templateName: 'order_update' });
   * for (const { rowNumber, message } of check.errors) console.log(rowNumber, message);
   * console.log(check.sample[0]?.renderedText);
   */
  async checkFile(file: ImportOptions, options: CallOptions = {}): Promise<FileCheckDto> {
    return (await this.uploadRecipients({ ...file, dryRun: 'true' }, options)) as FileCheckDto;
  }

  /**
   * The invalid rows of a file, each with what is wrong, as a file to correct. Sends nothing.
   *
   * @example
   * const rows = await messaging.badRows({ file: 'customers.xlsx', templateName: 'order_update' }, 'csv');
   * console.log(await new Response(rows).text());
   */
  async badRows(
    file: ImportOptions,
    format: NonNullable<ImportOptions['badRows']>,
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const checked = { ...file, badRows: format, dryRun: 'true' as const };
    return (await this.uploadRecipients(checked, { ...options, streamed: true })) as ReadableStream<Uint8Array>;
  }

  /**
   * Creates and updates contacts from a file (xlsx, xls or CSV) and adds them to a group. An interrupted call is retried: nobody is
   * added twice, and `updated` then includes people whom the interrupted attempt added.
   *
   * @example
   * const file = new File(['Mobile,Customer,City\n+49 151 12345678,Mira,Bonn\n'], 'contacts.csv');
   * const columns = { phone: 'Mobile', name: 'Customer' };
   * const { added, updated, errors } = await messaging.importContacts('0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11', { file, columns });
   * for (const { rowNumber, message } of errors) console.log(added, updated, rowNumber, message);
   */
  async importContacts(groupId: string, file: ContactFile, options: CallOptions = {}): Promise<ContactsImportedDto> {
    return (await this.uploadContacts(groupId, { ...file, dryRun: 'false' }, options)) as ContactsImportedDto;
  }

  /**
   * Dry run of `importContacts`: returns the counts and the errors of rows. Changes nothing.
   *
   * @example
   * const check = await messaging.checkContacts('0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11', { file: 'contacts.csv' });
   * console.log(check.added, check.invalid);
   */
  async checkContacts(groupId: string, file: ContactFile, options: CallOptions = {}): Promise<ContactsImportedDto> {
    return (await this.uploadContacts(groupId, { ...file, dryRun: 'true' }, options)) as ContactsImportedDto;
  }

  /**
   * The invalid rows of a file of contacts, each with what is wrong, as a file to correct. Changes nothing.
   *
   * @example
   * const rows = await messaging.badContactRows('0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11', { file: 'contacts.csv' }, 'csv');
   * console.log(await new Response(rows).text());
   */
  async badContactRows(
    groupId: string,
    file: ContactFile,
    format: NonNullable<ContactFile['badRows']>,
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const checked = { ...file, badRows: format, dryRun: 'true' as const };
    return (await this.uploadContacts(groupId, checked, { ...options, streamed: true })) as ReadableStream<Uint8Array>;
  }

  /**
   * Sends a template to the current members of a contact group.
   *
   * @example
   * const job = await messaging.sendToGroup({
   *   groupId: '0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90',
   *   templateName: 'order_update',
   *   parameterDefaults: { '1': 'there', '2': 'A-1000' },
   * });
   * console.log(job.jobId);
   */
  async sendToGroup(send: GroupSendOptions, options?: CallOptions): Promise<CreatedGroupJobDto> {
    return (await this.call(operations.sendTemplateToGroup, { body: send }, options)) as CreatedGroupJobDto;
  }

  /**
   * Dry run of `sendToGroup`. Sends nothing.
   *
   * @example
   * const check = await messaging.checkGroup({ groupId: '0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', templateName: 'order_update' });
   * console.log(check.totalRecipients, check.optedOut);
   */
  async checkGroup(send: GroupSendOptions, options?: CallOptions): Promise<RecipientCheckDto> {
    const body = { ...send, dryRun: true };
    return (await this.call(operations.sendTemplateToGroup, { body }, options)) as RecipientCheckDto;
  }

  /**
   * Retries the retryable recipients of an ended job in a new job; the old job is not changed.
   *
   * @example
   * const retry = await messaging.retryJob('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', { scope: 'failed' });
   * console.log(retry.jobId, retry.totalRecipients);
   */
  async retryJob(jobId: string, which: RetryOptions = {}, options?: CallOptions): Promise<CreatedRetryDto> {
    return (await this.call(operations.retryBulkJob, { path: { jobId }, body: which }, options)) as CreatedRetryDto;
  }

  /**
   * Dry run of `retryJob`: counts the recipients that can and cannot be retried. Sends nothing.
   *
   * @example
   * const check = await messaging.checkRetry('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', { scope: 'all' });
   * console.log(check.recipients, check.unreachable);
   */
  async checkRetry(jobId: string, which: RetryOptions = {}, options?: CallOptions): Promise<RetryCheckDto> {
    const body = { ...which, dryRun: true };
    return (await this.call(operations.retryBulkJob, { path: { jobId }, body }, options)) as RetryCheckDto;
  }

  /**
   * Replies in free text or with a file within 24 hours of the person's last message.
   *
   * @example
   * const reply = await messaging.reply('0199d1b5-6a5e-5c3a-9b1f-2f8d4c1e7a90', { text: 'Yes, at about ten.' });
   * console.log(reply.status);
   */
  reply(conversationId: string, reply: ReplyDto, options?: CallOptions): Promise<SentReplyDto> {
    return this.call(operations.sendReply, { path: { conversationId }, body: reply }, options);
  }

  /**
   * The details of a job: counts, why it is waiting or paused, allowed actions.
   *
   * @example
   * const { status, throttled, pauseReason } = await messaging.job('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90');
   * console.log(status, throttled?.reason, pauseReason?.message);
   */
  job(jobId: string, options?: CallOptions): Promise<BulkJobDetailDto> {
    return this.call(operations.getBulkJob, { path: { jobId } }, options);
  }

  /**
   * Waits until every recipient of the job has its final outcome and returns the job. Keeps waiting while the job is paused: check
   * `status` in `onProgress` and abort with `signal`. Uses the job's event stream if available, otherwise polling.
   *
   * @example
   * const done = await messaging.waitForJob('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', {
   *   onProgress: ({ progressPercentage }) => console.log(`${progressPercentage} %`),
   *   signal: AbortSignal.timeout(600_000),
   * });
   * console.log(done.successfullySent, done.failed);
   */
  waitForJob(jobId: string, options: WaitOptions = {}): Promise<BulkJobDetailDto> {
    return new JobWait(this.calls, jobId, options).ended();
  }

  /**
   * The report of a job, one row per recipient, as a byte stream.
   *
   * @example
   * const report = await messaging.jobReport('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', { format: 'csv', status: 'Failed' });
   * console.log(await new Response(report).text());
   */
  async jobReport(
    jobId: string,
    query: NonNullable<InputOf<typeof operations.downloadBulkJobReport>['query']>,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    const streamed = { ...options, streamed: true };
    const report = await this.calls.run(operations.downloadBulkJobReport, { path: { jobId }, query }, streamed);
    return report as unknown as ReadableStream<Uint8Array>;
  }

  /**
   * The recipients of a job, optionally filtered by status, error code or phone number.
   *
   * @example
   * for await (const recipient of messaging.recipients('0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90', { status: 'Failed' })) {
   *   console.log(recipient.rowNumber, recipient.phone, recipient.errorCode);
   * }
   */
  recipients(jobId: string, filter: QueryOf<typeof operations.listBulkJobRecipients> = {}, options?: CallOptions) {
    return this.each(
      operations.listBulkJobRecipients,
      { path: { jobId }, query: { limit: MAX_LIMIT, ...filter } },
      options,
    );
  }

  /**
   * Messages in both directions, newest first.
   *
   * @example
   * for await (const message of messaging.messages({ reference: 'order-4711' })) {
   *   console.log(message.status, message.error?.code);
   * }
   */
  messages(filter: QueryOf<typeof operations.listMessages> = {}, options?: CallOptions) {
    return this.each(operations.listMessages, { query: { limit: MAX_LIMIT, ...filter } }, options);
  }

  /**
   * Jobs, newest first.
   *
   * @example
   * for await (const job of messaging.jobs({ status: 'Paused' })) console.log(job.jobId, job.templateName);
   */
  jobs(filter: QueryOf<typeof operations.listBulkJobs> = {}, options?: CallOptions) {
    return this.each(operations.listBulkJobs, { query: { pageSize: MAX_PAGE_SIZE, cursor: '', ...filter } }, options);
  }

  /**
   * Contacts of the account.
   *
   * @example
   * for await (const contact of messaging.contacts({ search: 'Mira' })) console.log(contact.phone, contact.optedOut);
   */
  contacts(filter: QueryOf<typeof operations.listContacts> = {}, options?: CallOptions) {
    return this.each(operations.listContacts, { query: { limit: MAX_LIMIT, ...filter } }, options);
  }

  /**
   * Conversations, the most recent first.
   *
   * @example
   * for await (const { contactPhone, lastText } of messaging.conversations({ unread: 'true' })) {
   *   console.log(contactPhone, lastText);
   * }
   */
  conversations(filter: QueryOf<typeof operations.listConversations> = {}, options?: CallOptions) {
    return this.each(operations.listConversations, { query: { limit: MAX_LIMIT, ...filter } }, options);
  }

  /**
   * Templates of the account.
   *
   * @example
   * for await (const template of messaging.templates({ status: 'Approved' })) {
   *   console.log(template.name, template.languageCode, template.parameterCount);
   * }
   */
  templates(filter: QueryOf<typeof operations.listTemplates> = {}, options?: CallOptions) {
    return this.each(operations.listTemplates, { query: { pageSize: MAX_PAGE_SIZE, ...filter } }, options);
  }

  /**
   * Calls any API operation: `operations` has one function per endpoint, named as in the OpenAPI document.
   *
   * @example
   * const group = await messaging.call(operations.createGroup, { body: { name: 'VIP customers' } });
   * await messaging.call(operations.addGroupContacts, {
   *   path: { groupId: group.id },
   *   body: { contacts: [{ phone: '+49 151 12345678', name: 'Mira' }] },
   * });
   */
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>> {
    return this.calls.run(operation, input, options);
  }

  /**
   * Iterates over any list of the API, page by page.
   *
   * @example
   * for await (const endpoint of messaging.each(operations.listWebhookEndpoints, {})) console.log(endpoint.url);
   */
  async *each<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): AsyncGenerator<ItemOf<O>> {
    const { query, ...rest } = input as { query?: object };
    let next: object | null = {};
    while (next) {
      const pageInput = { ...rest, query: { ...query, ...next } } as unknown as InputOf<O>;
      const page = (await this.call(operation, pageInput, options)) as Page<ItemOf<O>>;
      yield* page.items;
      next = nextPageOf(page);
    }
  }

  private async uploadRecipients(
    { file, fileName, ...fields }: ImportOptions & Pick<BulkImportFormDto, 'dryRun'>,
    options: UploadOptions,
  ): Promise<unknown> {
    const body = { ...withJsonLists(fields), file: await fileOf(file, fileName) };
    return this.calls.run(operations.importBulkMessages, { body }, { ...options, unlimited: true });
  }

  private async uploadContacts(
    groupId: string,
    { file, ...fields }: ContactFile & Pick<ContactImportFormDto, 'dryRun'>,
    options: UploadOptions,
  ): Promise<unknown> {
    const body = { ...fields, file: await fileOf(file) };
    return this.calls.run(operations.importGroupContacts, { path: { groupId }, body }, { ...options, unlimited: true });
  }
}
