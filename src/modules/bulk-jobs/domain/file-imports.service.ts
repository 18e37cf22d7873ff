import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import {
  addErrors,
  type FileSummary,
  type InvalidRow,
  type ReadBatch,
  type ReadRow,
} from '../../recipient-files/domain/file-rows';
import {
  InvalidRowsError,
  NoValidRowsError,
  type RecipientTotals,
  type RowError,
} from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files.service';
import type { SendableTemplate } from '../../templates/domain/sendable-template';
import { type CreatedJob, JobIntakes, type JobOrigin, type JobRequest, type JobSource } from './job-intake';
import { type RecipientCheck, RecipientChecks } from './recipient-checks.service';

/** A request to send to the recipients of an uploaded file. */
export interface FileImport extends JobRequest {
  path: string;
  fileName: string;
  /** The same for the same bytes with the same fields. */
  uploadHash: Buffer;
  header: 'auto' | 'present' | 'absent';
  /** skip: invalid rows become failed recipients; reject: one invalid row rejects the file. */
  onInvalidRows: 'skip' | 'reject';
  /** skip: a repeated phone with the same values is dropped and counted. */
  onDuplicates: 'skip' | 'keep';
}

/** What a column of a file is used for. */
export interface FileColumn {
  /** As a spreadsheet program names it: A, B, … */
  column: string;
  /** Its header; null if the file has no header row, or none for it. */
  header: string | null;
  /** `phone`, or the title of the value that it fills; null: it has no use. */
  use: string | null;
}

/** What an import would become. */
export interface FileCheck extends RecipientCheck {
  columns: FileColumn[];
}

/** Maximum number of row errors in an error. */
const REFUSAL_ERRORS = 20;

/** Creates jobs from uploaded files. */
@Injectable()
export class FileImportsService {
  constructor(
    private readonly files: RecipientFiles,
    private readonly intakes: JobIntakes,
    private readonly plans: Plans,
    private readonly checks: RecipientChecks,
  ) {}

  /**
   * Creates a job with all recipients of the file, atomically; warns of the same upload within 24 hours. Rejects with the errors of template and file, and
   * with NoValidRowsError or InvalidRowsError.
   */
  importFile(request: FileImport): Promise<CreatedJob> {
    return this.intakes.create(request, originOf(request), async (intake, source) => {
      const errors: RowError[] = [];
      const totals: RecipientTotals = { totalRecipients: 0, invalidRows: 0, duplicateRows: 0 };
      const isRefused = (): boolean => request.onInvalidRows === 'reject' && totals.invalidRows > 0;
      const { duplicates, warnings } = await this.read(request, source, async (batch) => {
        totals.totalRecipients += batch.rows.length + batch.invalidRows.length;
        totals.invalidRows += batch.invalidRows.length;
        addErrors(errors, batch.invalidRows, REFUSAL_ERRORS);
        // A file that will be rejected is read to its end for the totals, but no longer stored.
        if (isRefused()) return;
        intake.addBatch(batch);
        await intake.settle();
      });
      totals.duplicateRows = duplicates;
      if (totals.invalidRows === totals.totalRecipients) throw new NoValidRowsError(totals, errors, warnings);
      if (isRefused()) throw new InvalidRowsError(totals, errors);
      const { claim, accountId, uploadHash } = request;
      const again = await this.intakes.uploadWarnings(claim, accountId, uploadHash);
      return { duplicateRows: duplicates, warnings: [...warnings, ...again] };
    });
  }

  /** Returns the result that an import would have; creates nothing. Invalid rows are part of the result and do not reject. */
  async checkFile(request: FileImport): Promise<FileCheck> {
    const source = await this.intakes.source(request, originOf(request));
    let headers: readonly string[] = [];
    const check = await this.checks.check(source, async (take) => {
      const { duplicates, warnings, headerCells } = await this.read(request, source, take);
      headers = headerCells ?? [];
      return { duplicateRows: duplicates, warnings };
    });
    return { ...check, columns: columnsOf(headers, source.template) };
  }

  private read(
    request: FileImport,
    { sender, template }: JobSource,
    take: (batch: ReadBatch) => Promise<void>,
  ): Promise<FileSummary> {
    const rules = {
      valueCount: template.valueCount,
      header: request.header,
      duplicates: request.onDuplicates,
      defaultCountry: sender.defaultCountry,
      maxRows: this.plans.of(request.plan).maxRowsPerFile,
    };
    return this.files.read(request, rules, request.signal, (batch) => take(withValuesChecked(batch, template)));
  }
}

function originOf({ fileName, uploadHash }: FileImport): JobOrigin {
  return { kind: 'Import', fileName, groupId: null, retryOf: null, retry: null, uploadHash };
}

/** The rows whose values do not fit the template become invalid ones. */
function withValuesChecked(batch: ReadBatch, template: SendableTemplate): ReadBatch {
  const unfit = new Map<ReadRow, InvalidRow>();
  for (const row of batch.rows) {
    const error = template.errorOfRecipient(row.values);
    if (error !== null) unfit.set(row, { ...row, ...error });
  }
  if (unfit.size === 0) return batch;
  return {
    rows: batch.rows.filter((row) => !unfit.has(row)),
    invalidRows: [...batch.invalidRows, ...unfit.values()].sort((a, b) => a.rowNumber - b.rowNumber),
  };
}

/** The columns that the template asks for, and those with a header beyond them. */
function columnsOf(headers: readonly string[], template: SendableTemplate): FileColumn[] {
  const uses = ['phone', ...template.valueTitles()];
  return Array.from({ length: Math.max(uses.length, headers.length) }, (_, index) => ({
    column: columnName(index),
    header: headers[index] || null,
    use: uses[index] ?? null,
  }));
}

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
