/** Limits of the work and memory for one file; a file that exceeds one is refused as too large. */
export interface FileLimits {
  /** Parts in the zip container of an xlsx file. */
  zipEntries: number;
  /** Unpacked bytes per packed byte, for parts over 50 MB unpacked. */
  compressionRatio: number;
  /** Unpacked bytes of the worksheet. */
  sheetBytes: number;
  /** Unpacked bytes of the table of shared strings. */
  sharedStringsBytes: number;
  /** Shared strings, empty ones included: they lie outside of the heap. */
  sharedStrings: number;
  /** Bytes of all shared strings together in memory. */
  sharedTextBytes: number;
  /** Bytes of an xls file, which, unlike the other kinds, is held in memory completely. */
  xlsBytes: number;
  /** Columns in use. */
  columns: number;
  /** Characters read from one cell; the rest is ignored. */
  cellCharacters: number;
  /** Characters of all cells together: a million cells may share one long string. */
  textCharacters: number;
  /** Characters between two tags, or inside one, of an XML part. */
  xmlTokenCharacters: number;
  /** Elements of an XML part: this many, and `xmlElementsPerByte` more per packed byte, so that a small file costs little work. */
  xmlElements: number;
  xmlElementsPerByte: number;
  /** Cells of a csv file without content, in which a byte costs the most work. */
  emptyCells: number;
  /** Lines of a csv file, blank ones included. */
  lines: number;
  /** Working time of the reader, in seconds, without the time in which the caller processes a batch. */
  seconds: number;
  /** Heap of the reader's thread, in MB. */
  heapMegabytes: number;
}

const MEGABYTE = 1024 * 1024;

/** Far above the needs of normal files, low enough to protect the machine. */
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
