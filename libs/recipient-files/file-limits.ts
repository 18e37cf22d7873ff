/** How much work and memory one file may cost; a file beyond a limit is refused as too large. */
export interface FileLimits {
  /** Parts in the zip container of an xlsx file. */
  zipEntries: number;
  /** Unpacked bytes per packed byte, for parts over 50 MB unpacked. */
  compressionRatio: number;
  /** Unpacked bytes of the worksheet. */
  sheetBytes: number;
  /** Unpacked bytes of the table of shared strings. */
  sharedStringsBytes: number;
  /** Bytes of an xls file: unlike the other kinds it is held in memory whole. */
  xlsBytes: number;
  /** Columns in use. */
  columns: number;
  /** Characters read from one cell; the rest is not looked at. */
  cellCharacters: number;
  /** Characters of all cells together: one long shared string may stand in a million cells. */
  textCharacters: number;
  /** Characters between two tags, or inside one, of an XML part. */
  xmlTokenCharacters: number;
  /** Lines of a csv file, blank ones included. */
  lines: number;
  /** Time the reader may work, in seconds; time in which the caller is busy with a batch is not counted. */
  seconds: number;
  /** Heap of the reader's thread, in MB. */
  heapMegabytes: number;
}

const MEGABYTE = 1024 * 1024;

/** Far above what honest files need, low enough that no file can take the machine. */
export const DEFAULT_LIMITS: FileLimits = {
  zipEntries: 2_000,
  compressionRatio: 250,
  sheetBytes: 1_500 * MEGABYTE,
  sharedStringsBytes: 400 * MEGABYTE,
  xlsBytes: 64 * MEGABYTE,
  columns: 200,
  cellCharacters: 32_767,
  textCharacters: 1_000_000_000,
  xmlTokenCharacters: MEGABYTE,
  lines: 2_100_000,
  seconds: 120,
  heapMegabytes: 512,
};
