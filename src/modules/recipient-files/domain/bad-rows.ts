import type { RowError } from './recipient-files.errors';

/** The invalid rows of a batch; the first batch may have what belongs to the file. */
interface InvalidRows {
  headerCells?: string[] | undefined;
  delimiter?: string | undefined;
  invalidRows: readonly RowError[];
}

/** The invalid rows of a file. */
export interface BadRows {
  /** The cells of the header row; null: there is none. */
  headerCells: string[] | null;
  /** Of a CSV file. */
  delimiter: string | undefined;
  /** In file order, each with its cells. */
  parts: AsyncGenerator<readonly RowError[]>;
}

/**
 * The invalid rows of batches as they are read. Rejects with the error of the first batch; so does `parts` with a later one. The file is
 * closed when the last part is read, or by the signal.
 */
export async function badRowsOf(batches: AsyncGenerator<InvalidRows>, signal: AbortSignal): Promise<BadRows> {
  // Also before the first part is requested, so that the file is closed.
  signal.addEventListener('abort', () => void batches.return(undefined));
  const first = await batches.next();
  async function* parts(): AsyncGenerator<readonly RowError[]> {
    if (first.done) return;
    yield first.value.invalidRows;
    for await (const { invalidRows } of batches) yield invalidRows;
  }
  const { headerCells = null, delimiter } = first.done ? {} : first.value;
  return { headerCells, delimiter, parts: parts() };
}
