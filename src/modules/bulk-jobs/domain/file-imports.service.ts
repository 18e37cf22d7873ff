import { Injectable } from '@nestjs/common';
import { Plans } from '../../accounts/domain/plans';
import { type ReadBatch, type ReadFault, tellFaults } from '../../recipient-files/domain/file-rows';
import {
  InvalidRowsError,
  NoValidRowsError,
  type RecipientTotals,
  type RowError,
} from '../../recipient-files/domain/recipient-files.errors';
import { RecipientFiles } from '../../recipient-files/domain/recipient-files.service';
import { type JobIntake, JobIntakes } from './job-intake';
import { type CreatedJob, type JobRequest, type JobSource, JobSources } from './job-source';

/** A request to send to the recipients of an uploaded file. */
export interface FileImport extends JobRequest {
  /** Plan of the account: it limits the rows. */
  plan: string;
  path: string;
  fileName: string;
  header: 'auto' | 'present' | 'absent';
  /** skip: bad rows become failed recipients; reject: one bad row refuses the file. */
  onInvalidRows: 'skip' | 'reject';
  /** skip: the same phone with the same values again is dropped and counted. */
  onDuplicates: 'skip' | 'keep';
}

/** What a file would become if it were imported. */
export interface FileCheck extends RecipientTotals {
  warnings: string[];
  errors: RowError[];
}

/** Most row errors that a refusal lists. */
const REFUSAL_ERRORS = 20;
/** Most row errors that a trial lists. */
const CHECK_ERRORS = 100;

/** Turns uploaded files into jobs. */
@Injectable()
export class FileImportsService {
  constructor(
    private readonly sources: JobSources,
    private readonly files: RecipientFiles,
    private readonly intakes: JobIntakes,
    private readonly plans: Plans,
  ) {}

  /**
   * Creates a job with all recipients of the file, or nothing at all. `created` runs in the transaction that makes the
   * job visible. Rejects with the errors of template and file, and with NoValidRowsError or InvalidRowsError.
   */
  async importFile(request: FileImport, created: (job: CreatedJob) => Promise<void>): Promise<CreatedJob> {
    const source = await this.sourceOf(request);
    const intake = this.intakes.open(source.draft);
    try {
      const check = await this.read(request, source, REFUSAL_ERRORS, intake);
      if (check.invalidRows === check.totalRecipients) throw new NoValidRowsError(totalsOf(check), check.errors);
      if (request.onInvalidRows === 'reject' && check.invalidRows > 0) {
        throw new InvalidRowsError(totalsOf(check), check.errors);
      }
      const { warnings } = check;
      const job = await intake.publish(check.duplicateRows, (published) => created({ job: published, warnings }));
      return { job, warnings };
    } catch (error) {
      await intake.abandon();
      throw error;
    }
  }

  /** What importing the file would give; creates nothing. Bad rows are its result, not a reason to reject. */
  async checkFile(request: FileImport): Promise<FileCheck> {
    return this.read(request, await this.sourceOf(request), CHECK_ERRORS, null);
  }

  private sourceOf(request: FileImport): Promise<JobSource> {
    return this.sources.of(request, { kind: 'Import', fileName: request.fileName, groupId: null, retryOf: null });
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
    const { duplicates, warnings } = await this.files.read(request.path, rules, request.signal, async (batch) => {
      tally(check, batch, maxErrors);
      // A file that will be refused is still read to its end for its totals, but no longer stored.
      const refused = request.onInvalidRows === 'reject' && check.invalidRows > 0;
      if (!intake || refused) return;
      addInOrder(intake, batch);
      await intake.settle();
    });
    return { ...check, duplicateRows: duplicates, warnings };
  }
}

function tally(check: FileCheck, { rows, faults }: ReadBatch, maxErrors: number): void {
  check.totalRecipients += rows.length + faults.length;
  check.invalidRows += faults.length;
  tellFaults(check.errors, faults, maxErrors);
}

/** Positions follow the file, so good and bad rows are merged by their numbers. */
function addInOrder(intake: JobIntake, { rows, faults }: ReadBatch): void {
  let next = 0;
  const addFaultsBefore = (rowNumber: number) => {
    let fault: ReadFault | undefined;
    while ((fault = faults[next]) && fault.rowNumber < rowNumber) {
      intake.add(fault.rowNumber, fault.phone, fault.values, fault);
      next++;
    }
  };
  for (const row of rows) {
    addFaultsBefore(row.rowNumber);
    intake.add(row.rowNumber, row.phone, row.values);
  }
  addFaultsBefore(Infinity);
}

function totalsOf({ totalRecipients, invalidRows, duplicateRows }: RecipientTotals): RecipientTotals {
  return { totalRecipients, invalidRows, duplicateRows };
}
