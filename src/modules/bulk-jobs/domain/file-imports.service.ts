import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import { type ReadBatch, type ReadRow, type InvalidRow, addErrors } from '../../recipient-files/domain/file-rows';
import {
  InvalidRowsError,
  NoValidRowsError,
  type RecipientTotals,
  type RowError,
} from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files.service';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import {
  type CreatedJob,
  type JobIntake,
  JobIntakes,
  type JobOrigin,
  type JobRequest,
  type JobSource,
} from './job-intake';

/** A request to send to the recipients of an uploaded file. */
export interface FileImport extends JobRequest {
  /** Plan of the account, which limits the rows. */
  plan: string;
  path: string;
  fileName: string;
  header: 'auto' | 'present' | 'absent';
  /** skip: invalid rows become failed recipients; reject: one invalid row rejects the file. */
  onInvalidRows: 'skip' | 'reject';
  /** skip: a repeated phone with the same values is dropped and counted. */
  onDuplicates: 'skip' | 'keep';
}

/** The result that an import would have. */
export interface FileCheck extends RecipientTotals {
  warnings: string[];
  errors: RowError[];
}

/** Maximum number of row errors in an error. */
const REFUSAL_ERRORS = 20;
/** Maximum number of row errors in the result of a dry run. */
const CHECK_ERRORS = 100;

/** Creates jobs from uploaded files. */
@Injectable()
export class FileImportsService {
  constructor(
    private readonly files: RecipientFiles,
    private readonly intakes: JobIntakes,
    private readonly plans: Plans,
  ) {}

  /**
   * Creates a job with all recipients of the file, atomically. Rejects with the errors of template and file, and
   * with NoValidRowsError or InvalidRowsError.
   */
  importFile(request: FileImport): Promise<CreatedJob> {
    return this.intakes.create(request, originOf(request), async (intake, source) => {
      const check = await this.read(request, source, REFUSAL_ERRORS, intake);
      if (check.invalidRows === check.totalRecipients) throw new NoValidRowsError(totalsOf(check), check.errors);
      if (request.onInvalidRows === 'reject' && check.invalidRows > 0) {
        throw new InvalidRowsError(totalsOf(check), check.errors);
      }
      return check;
    });
  }

  /** Returns the result that an import would have; creates nothing. Invalid rows are part of the result and do not reject. */
  async checkFile(request: FileImport): Promise<FileCheck> {
    return this.read(request, await this.intakes.source(request, originOf(request)), CHECK_ERRORS, null);
  }

  private async read(
    request: FileImport,
    { sender, template }: JobSource,
    maxErrors: number,
    intake: JobIntake | null,
  ): Promise<FileCheck> {
    const rules = {
      valueCount: template.valueCount,
      header: request.header,
      duplicates: request.onDuplicates,
      defaultCountry: sender.defaultCountry,
      maxRows: this.plans.of(request.plan).maxRowsPerFile,
    };
    const check: FileCheck = { totalRecipients: 0, invalidRows: 0, duplicateRows: 0, warnings: [], errors: [] };
    const { duplicates, warnings } = await this.files.read(request, rules, request.signal, async (read) => {
      const batch = withLengthsChecked(read, template);
      tally(check, batch, maxErrors);
      // A file that will be rejected is read to its end for the totals, but no longer stored.
      const refused = request.onInvalidRows === 'reject' && check.invalidRows > 0;
      if (!intake || refused) return;
      addInOrder(intake, batch);
      await intake.settle();
    });
    return { ...check, duplicateRows: duplicates, warnings };
  }
}

function originOf({ fileName }: FileImport): JobOrigin {
  return { kind: 'Import', fileName, groupId: null, retryOf: null };
}

/** The rows whose values make the text too long become invalid ones. */
function withLengthsChecked(batch: ReadBatch, template: SendableTemplate): ReadBatch {
  const tooLong = new Map<ReadRow, InvalidRow>();
  for (const row of batch.rows) {
    const error = template.errorOfLength(row.values);
    if (error === null) continue;
    const { code, message, value } = error;
    tooLong.set(row, { ...row, code, message, field: `parameter ${value + 1}` });
  }
  if (tooLong.size === 0) return batch;
  return {
    rows: batch.rows.filter((row) => !tooLong.has(row)),
    invalidRows: [...batch.invalidRows, ...tooLong.values()].sort((a, b) => a.rowNumber - b.rowNumber),
  };
}

function tally(check: FileCheck, { rows, invalidRows }: ReadBatch, maxErrors: number): void {
  check.totalRecipients += rows.length + invalidRows.length;
  check.invalidRows += invalidRows.length;
  addErrors(check.errors, invalidRows, maxErrors);
}

/** Positions follow the file, so valid and invalid rows are merged by row number. */
function addInOrder(intake: JobIntake, { rows, invalidRows }: ReadBatch): void {
  let next = 0;
  const addInvalidBefore = (rowNumber: number) => {
    let error: InvalidRow | undefined;
    while ((error = invalidRows[next]) && error.rowNumber < rowNumber) {
      intake.add(error.rowNumber, error.phone, error.values, error);
      next++;
    }
  };
  for (const row of rows) {
    addInvalidBefore(row.rowNumber);
    intake.add(row.rowNumber, row.phone, row.values);
  }
  addInvalidBefore(Infinity);
}

function totalsOf({ totalRecipients, invalidRows, duplicateRows }: RecipientTotals): RecipientTotals {
  return { totalRecipients, invalidRows, duplicateRows };
}
