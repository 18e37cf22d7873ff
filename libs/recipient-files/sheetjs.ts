import { createRequire } from 'node:module';
import type { ParsingOptions, WorkBook } from '@e965/xlsx';

/** The part of SheetJS in use; its own types lack the first two. */
export interface SheetJs {
  SSF: { format(format: string | number, value: number, options?: { date1904?: boolean }): string };
  CFB: { read(bytes: Buffer, options: { type: 'buffer' }): { FullPaths: string[] } };
  read(bytes: Buffer, options: ParsingOptions): WorkBook;
}

let loaded: SheetJs | undefined;

/** Loads SheetJS on first use, as it takes 30 MB and most files do not need it. */
export function sheetJs(): SheetJs {
  return (loaded ??= createRequire(__filename)('@e965/xlsx') as SheetJs);
}
