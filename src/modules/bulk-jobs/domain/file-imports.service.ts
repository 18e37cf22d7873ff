import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { Plans } from '../../accounts/domain/plans';
import { KnownNumbers } from '../../groups/domain/known-numbers';
import { type BadRows, badRowsOf } from '../../recipient-files/domain/bad-rows';
import type { FileColumn } from '../../recipient-files/domain/column-uses';
import type {
  ColumnSources,
  FileSummary,
  OnDuplicates,
  ReadBatch,
  ReadingRules,
  SuggestedColumns,
} from '../../recipient-files/domain/file-rows';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files';
import { checkedRows } from './checked-rows';
import {
  fileColumnsOf,
  guessedColumns,
  orderedColumns,
  type RequestedColumns,
  sourcesOf,
  withGaps,
} from './file-columns';
import type { CreatedJob, JobSource } from './job-intake';
import { JobIntakes, type JobOrigin, type JobRequest } from './job-intakes';
import { type Exclusions, LeftOutPeople, listAudience } from './left-out-people';
import type { LeftOutRows } from './left-out-rows';
import { type RecipientCheck, RecipientChecks } from './recipient-checks';

/** A request to send to the recipients of an uploaded file. */
export interface FileImport
  extends JobRequest, Exclusions, Pick<ReadingRules, 'header' | 'headerRow' | 'sheet' | 'cellLanguage'> {
  path: string;
  fileName: string;
  /** Equal for the same file with the same fields. */
  uploadHash: Buffer;
  /** Country of numbers without country code; absent: that of the account. */
  defaultCountry?: string;
  /** skip: invalid rows become failed recipients; reject: one invalid row rejects the file. */
  onInvalidRows: 'skip' | 'reject';
  onDuplicates: OnDuplicates;
  /** Absent: column 1 contains the phones, the others the values. */
  columns?: RequestedColumns;
}

/** The preview of an import. */
export interface FileCheck extends RecipientCheck {
  columns: FileColumn[];
  /** Present if columns were to be guessed. */
  suggestedColumns?: SuggestedColumns;
}

/** How a file is read. */
interface ReadingChoices {
  cells?: boolean;
  /** Values without a column. */
  gaps?: readonly number[] | undefined;
  leftOut?: LeftOutRows;
}

/** Creates jobs from uploaded files. */
@Injectable()
export class FileImportsService {
  constructor(
    private readonly files: RecipientFiles,
    private readonly intakes: JobIntakes,
    private readonly plans: Plans,
    private readonly checks: RecipientChecks,
    private readonly numbers: KnownNumbers,
    private readonly leftOut: LeftOutPeople,
  ) {}

  /**
   * Creates a job with all recipients of the file, atomically; warns of the same upload within 24 hours. Rejects with the errors of the
   * template and the file, those of `LeftOutPeople.rowsOf`, ColumnNotFoundError, ParameterMismatchError, NoValidRowsError or
   * InvalidRowsError.
   */
  async importFile(imported: FileImport): Promise<CreatedJob> {
    const request = { ...imported, ownExtras: haveExtras(imported.columns) };
    await using intake = await this.intakes.open(request, originOf(request));
    const columns = request.columns && (await this.columnsOf(request, request.columns, intake.source));
    const leftOut = await this.leftOut.rowsOf(request);
    const { batches, summary } = this.read(request, intake.source, columns, { leftOut });
    return await intake.storeAll({ batches, summary, leftOut }, request.onInvalidRows);
  }

  /**
   * Returns a preview of the import; creates nothing. Invalid rows are part of the result and do not reject. With `guessColumns` it
   * suggests columns, and reads the file by those that were found.
   */
  async checkFile(imported: FileImport, guessColumns = false): Promise<FileCheck> {
    const { source, suggestedColumns, guess, leftOut, batches, summary } = await this.readForCheck(
      imported,
      guessColumns,
    );
    const check = await this.checks.check(source, batches);
    const { duplicates, warnings, headerCells, layout, columns } = await summary;
    return {
      ...check,
      duplicateRows: duplicates,
      ...leftOut.counted,
      warnings: [...(guess?.warning ? [guess.warning] : []), ...warnings, ...check.warnings],
      columns: fileColumnsOf(headerCells ?? [], layout.titles.length, source.template, columns, guess?.gaps),
      ...(suggestedColumns && { suggestedColumns }),
    };
  }

  /**
   * Returns the invalid rows of the file with their cells, as it is read; creates nothing. Rejects with the errors of `checkFile`, and
   * ValidationFailedError for an incomplete guess; so does `parts` if they are found after the first rows.
   */
  async badRows(imported: FileImport, guessColumns = false): Promise<BadRows> {
    const { batches } = await this.readForCheck(imported, guessColumns, true);
    return badRowsOf(batches, imported.signal);
  }

  private async readForCheck(imported: FileImport, guessColumns: boolean, needsWholeGuess = false) {
    // A guessed column may contain the header media.
    const request = { ...imported, ownExtras: guessColumns || haveExtras(imported.columns) };
    const source = await this.intakes.source(request, originOf(request));
    const suggestedColumns = guessColumns ? await this.suggestColumns(request, source) : undefined;
    const guess = suggestedColumns && guessedColumns(suggestedColumns, source.template);
    if (guess?.warning && needsWholeGuess) {
      throw new ValidationFailedError([{ field: 'columns', code: 'invalid', message: guess.warning }]);
    }
    const { columns } = request;
    const sources = guess?.sources ?? (columns && (await this.columnsOf(request, columns, source)));
    const leftOut = await this.leftOut.rowsOf(request);
    const reading = this.read(request, source, sources, { cells: true, gaps: guess?.gaps, leftOut });
    return { source, suggestedColumns, guess, leftOut, ...reading };
  }

  /** The requested columns; throws ColumnNotFoundError, or ParameterMismatchError if they do not fit the template. */
  private async columnsOf(request: FileImport, columns: RequestedColumns, source: JobSource): Promise<ColumnSources> {
    try {
      return orderedColumns(columns, source.template);
    } catch (mismatch) {
      // A column that the file does not have may explain why the number of values is wrong.
      const { batches } = this.read(request, source, sourcesOf(columns, Object.values(columns.values)));
      await batches.next();
      await batches.return(undefined);
      throw mismatch;
    }
  }

  private suggestColumns(request: FileImport, source: JobSource): Promise<SuggestedColumns> {
    const { template } = source;
    const names = template.valueNames();
    const values = template.valueTitles().map((title, index) => ({ title, name: names[index] ?? null }));
    const wanted = {
      ...{ values, media: template.hasMediaHeader, userIds: template.allowsUserIds },
      ...{
        fileName: template.headerFormat === 'Document',
        flow: template.hasFlow,
        quickReplies: template.quickReplies(),
      },
    };
    return this.files.suggestColumns(request, this.rulesOf(request, source), wanted, request.signal);
  }

  private read(
    request: FileImport,
    source: JobSource,
    columns?: ColumnSources,
    { cells = false, gaps = [], leftOut }: ReadingChoices = {},
  ): { batches: AsyncGenerator<ReadBatch>; summary: Promise<FileSummary> } {
    const numbersOf = (userIds: readonly string[]) => this.numbers.of(request.accountId, userIds);
    const otherCells = columns !== undefined && !cells;
    const rules = { ...this.rulesOf(request, source), ...(columns && { columns }), cells, otherCells, numbersOf };
    const { batches: all, summary } = this.files.read(request, rules, request.signal);
    const batches = leftOut?.without(all) ?? all;
    // Incomplete values do not fit the template.
    return { batches: gaps.length > 0 ? withGaps(batches, gaps) : checkedRows(batches, source.rules), summary };
  }

  private rulesOf(request: FileImport, { sender, template }: JobSource): ReadingRules {
    return {
      valueCount: template.valueCount,
      header: request.header,
      ...(request.headerRow !== undefined && { headerRow: request.headerRow }),
      ...(request.sheet !== undefined && { sheet: request.sheet }),
      ...(request.cellLanguage !== undefined && { cellLanguage: request.cellLanguage }),
      duplicates: request.onDuplicates,
      defaultCountry: request.defaultCountry ?? sender.defaultCountry,
      nationalFirst: request.defaultCountry !== undefined,
      maxRows: this.plans.of(request.plan).maxRowsPerFile,
    };
  }
}

function originOf(request: FileImport): JobOrigin {
  const { fileName, uploadHash } = request;
  const audience = listAudience(request);
  return { kind: 'Import', fileName, groupId: null, audience, retryOf: null, retry: null, uploadHash };
}

/** Whether rows can have their own header media, payloads or flow token. */
function haveExtras(columns: RequestedColumns | ColumnSources | undefined): boolean {
  const { headerMediaId, headerMediaUrl, headerMediaFileName, quickReplyPayloads, flowToken } = columns ?? {};
  return [headerMediaId, headerMediaUrl, headerMediaFileName, quickReplyPayloads, flowToken].some(
    (source) => source !== undefined,
  );
}
