/** Time and memory limits for one file; a file that exceeds one is rejected as too large. */
export interface FileLimits {
  /** Parts in the zip container of an xlsx file. */
  zipEntries: number;
  /** Unpacked bytes per packed byte, for parts over 50 MB unpacked. */
  compressionRatio: number;
  /** Unpacked bytes of the worksheet. */
  sheetBytes: number;
  /** Unpacked bytes of the table of shared strings. */
  sharedStringsBytes: number;
  /** Number of shared strings, including empty ones, which are stored outside the heap. */
  sharedStrings: number;
  /** Total bytes of all shared strings in memory. */
  sharedTextBytes: number;
  /** Bytes of an xls file, which, unlike the other types, is loaded into memory completely. */
  xlsBytes: number;
  /** Columns in use. */
  columns: number;
  /** Characters read from one cell; the rest is ignored. */
  cellCharacters: number;
  /** Total characters of all cells, as a million cells may share one long string. */
  textCharacters: number;
  /** Characters between two tags, or inside one, of an XML part. */
  xmlTokenCharacters: number;
  /** Elements of an XML part, plus `xmlElementsPerByte` per packed byte, so that small files stay cheap. */
  xmlElements: number;
  xmlElementsPerByte: number;
  /** Empty cells of a csv file, the most expensive content per byte. */
  emptyCells: number;
  /** Lines of a csv file, blank ones included. */
  lines: number;
  /** Working time of the reader in seconds, excluding the caller's time to process batches. */
  seconds: number;
  /** Heap of the reader in MB. */
  heapMegabytes: number;
}

const MEGABYTE = 1024 * 1024;

/** Well above the needs of normal files, low enough to protect the machine. */
export const DEFAULT_LIMITS: FileLimits = {
  zipEntries: 2_000,
  compressionRatio: 250,
  sheetBytes: 1_500 * MEGABYTE,
  sharedStringsBytes: 400 * MEGABYTE,
  sharedStrings: 16_000_000,
  sharedTextBytes: 256 * MEGABYTE,
  xlsBytes: 64 * MEGABYTE,
  columns: 200,
  cellCharacters: 32_767,
  textCharacters: 1_000_000_000,
  xmlTokenCharacters: MEGABYTE,
  xmlElements: 500_000,
  // Dense sheets of equal cells have 5.
  xmlElementsPerByte: 20,
  emptyCells: 10_000_000,
  lines: 2_100_000,
  seconds: 120,
  heapMegabytes: 512,
};
