import { createRequire } from 'node:module';
import type { ParsingOptions, WorkBook } from '@e965/xlsx';

/** What is used of SheetJS; its own types leave the first two open. */
export interface SheetJs {
  SSF: { format(format: string | number, value: number, options?: { date1904?: boolean }): string };
  CFB: { read(bytes: Buffer, options: { type: 'buffer' }): { FullPaths: string[] } };
  read(bytes: Buffer, options: ParsingOptions): WorkBook;
}

let loaded: SheetJs | undefined;

/** SheetJS, loaded at the first call: it costs 30 MB, and most files need none of it. */
export function sheetJs(): SheetJs {
  return (loaded ??= createRequire(__filename)('@e965/xlsx') as SheetJs);
}
