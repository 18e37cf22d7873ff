import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RequestAbandonedError } from '../../../kernel/request-abandoned.error';
import { Plans } from '../../accounts/domain/plans';
import { ContactsService } from '../../groups/domain/contacts.service';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import type { OnDuplicates, ReadBatch, ReadRow, RowExtras } from '../../recipient-files/domain/file-rows';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import { type RowError, TooManyRowsError } from '../../recipient-files/domain/recipient-files.errors';
import { checkedRows, errorOfCount } from './checked-rows';
import { identified } from './identified-rows';
import type { CreatedJob, JobSource, ListReading } from './job-intake';
import { JobIntakes, type JobOrigin, type JobRequest } from './job-intakes';
import { type Exclusions, LeftOutPeople, listAudience } from './left-out-people';
import type { LeftOutRows } from './left-out-rows';
import { CHUNK_SIZE } from './recipient-chunk';
import { type RecipientCheck, RecipientChecks } from './recipient-checks';

/** A recipient of a list, as requested. */
export interface ListedRecipient {
  /** As given; null: by user id, or missing. */
  to: string | null;
  userId: string | null;
  values: string[];
  extras: RowExtras | null;
  reference: string | null;
}

/** A request to send to a list of recipients. */
export interface ListSend extends JobRequest, Exclusions {
  recipients: readonly ListedRecipient[];
  /** Country of numbers without country code; absent: that of the account. */
  defaultCountry?: string;
  /** Equal for equal requests. */
  uploadHash: Buffer;
  /** skip: invalid recipients count as failed; reject: one invalid recipient rejects the list. */
  onInvalidRows: 'skip' | 'reject';
  onDuplicates: OnDuplicates;
}

/** Creates jobs from lists in a request; row n is the recipient with index n - 1. */
@Injectable()
export class ListSendsService {
  constructor(
    private readonly contacts: ContactsService,
    private readonly intakes: JobIntakes,
    private readonly checks: RecipientChecks,
    private readonly plans: Plans,
    private readonly clock: Clock,
    private readonly numbers: KnownNumbers,
    private readonly files: RecipientFiles,
    private readonly leftOut: LeftOutPeople,
  ) {}

  /** Creates a job with all recipients, atomically. Throws the errors of a file import other than those of the file. */
  async send(request: ListSend): Promise<CreatedJob> {
    this.checkCount(request);
    await using intake = await this.intakes.open(request, originOf(request));
    const leftOut = await this.leftOut.rowsOf(request);
    return await intake.storeAll(this.read(request, intake.source, leftOut), request.onInvalidRows);
  }

  /** Returns a preview of the send; creates nothing. */
  async check(request: ListSend): Promise<RecipientCheck> {
    this.checkCount(request);
    const source = await this.intakes.source(request, originOf(request));
    const leftOut = await this.leftOut.rowsOf(request);
    const { batches, summary } = this.read(request, source, leftOut);
    const check = await this.checks.check(source, batches);
    const { duplicates, warnings } = await summary;
    return {
      ...{ ...check, duplicateRows: duplicates, ...leftOut.counted },
      warnings: [...warnings, ...check.warnings],
    };
  }

  private checkCount({ recipients, plan }: ListSend): void {
    const { maxRowsPerFile: limit } = this.plans.of(plan);
    if (recipients.length <= limit) return;
    const message = `The list has ${recipients.length} recipients, and your plan allows ${limit} per job. Split the list, or choose a larger plan.`;
    throw new TooManyRowsError(message, limit);
  }

  private read(request: ListSend, source: JobSource, leftOut: LeftOutRows): ListReading {
    const summary = { duplicates: 0, warnings: [] as string[] };
    const batches = leftOut.without(this.batches(request, source, summary));
    return { batches: checkedRows(batches, source.rules), summary, leftOut };
  }

  /** The recipients in batches; counts the duplicates that it drops, and warns at the end. */
  private async *batches(
    request: ListSend,
    { template }: JobSource,
    summary: { duplicates: number; warnings: string[] },
  ): AsyncGenerator<ReadBatch> {
    const { accountId, recipients, onDuplicates, signal } = request;
    const phones = await this.contacts.listReader(accountId, request.defaultCountry);
    const seen = new Set<string>();
    const batchFrom = async (from: number): Promise<ReadBatch> => {
      const batch: ReadBatch = { rows: [], invalidRows: [] };
      const rows: ReadRow[] = [];
      recipients.slice(from, from + CHUNK_SIZE).forEach(({ to, userId, values, extras, reference }, index) => {
        const rowNumber = from + index + 1;
        const person = to === null ? userId : phones.read(rowNumber, to);
        const row = {
          ...{ rowNumber, phone: person ?? to ?? '', values },
          ...(extras && { extras }),
          ...(reference !== null && { reference }),
        };
        const error =
          person === null ? phoneErrorOf(to ?? '') : (this.errorOfUrl(extras) ?? errorOfCount(values, template));
        if (error === null) rows.push(row);
        else batch.invalidRows.push({ ...row, ...error });
      });
      for (const row of await identified(this.numbers, accountId, rows)) {
        const keys = duplicateKeys(row, onDuplicates);
        if (keys.some((key) => seen.has(key))) summary.duplicates++;
        else batch.rows.push(row);
        for (const key of keys) seen.add(key);
      }
      return batch;
    };
    for (let from = 0; from < recipients.length; from += CHUNK_SIZE) {
      if (signal.aborted) throw new RequestAbandonedError();
      yield await batchFrom(from);
      // Other requests are served between two batches.
      await this.clock.turn();
    }
    summary.warnings.push(...phones.warnings());
  }

  /** As in files, one recipient's URL does not reject the others. */
  private errorOfUrl(extras: RowExtras | null): Omit<RowError, 'rowNumber'> | null {
    const field = 'headerMediaUrl';
    const problem = extras?.[field] === undefined ? null : this.files.problemOfExtra(field, extras[field]);
    return problem === null ? null : { field, code: 'parameter_invalid', message: `${field} ${problem}` };
  }
}

/** Equal keys make rows duplicates. */
function duplicateKeys({ phone, userId, values, extras, reference }: ReadRow, onDuplicates: OnDuplicates): string[] {
  if (onDuplicates === 'keep') return [];
  if (onDuplicates === 'skip') return [JSON.stringify([phone, values, extras, reference])];
  return userId === undefined ? [phone] : [phone, userId];
}

function originOf(request: ListSend): JobOrigin {
  const { uploadHash } = request;
  const audience = listAudience(request);
  return { kind: 'Import', fileName: null, groupId: null, audience, retryOf: null, retry: null, uploadHash };
}

function phoneErrorOf(to: string): Omit<RowError, 'rowNumber'> {
  return to.trim() === ''
    ? { field: 'to', code: 'phone_missing', message: 'to is missing or empty. Send a phone number, or a userId.' }
    : {
        field: 'to',
        code: 'phone_invalid',
        message:
          'to must be a phone number in international format, such as 4915112345678; national numbers need a defaultCountry, of the request or of the account.',
      };
}
