import { basename } from 'node:path';
import { checkTarget, type FileFormat, formatOf, sourceOf, writeStream } from '../local-files';
import type { FileFlags } from '../option-values';
import type { Session } from '../session';

/** Reads the options of a file of people; rejects a source that is not a file and a target that cannot be written. */
export async function peopleFileOf<Columns>(path: string, flags: FileFlags<Columns>) {
  const { header, sheet, headerRow, cellLanguage, defaultCountry, columns, badRows, rejectInvalid } = flags;
  const badRowsFormat = formatOf({ output: badRows });
  if (badRows) checkTarget(badRows);
  const form = {
    file: await sourceOf(path),
    ...(header && { hasHeader: header }),
    ...(sheet && { sheet }),
    ...(headerRow && { headerRow }),
    ...(cellLanguage && { cellLanguage }),
    ...(defaultCountry && { defaultCountry }),
    ...(columns && { columns }),
    ...(rejectInvalid && { onInvalidRows: 'reject' as const }),
  };
  /** Writes the invalid rows to `--bad-rows`, if it is set. */
  const saveBadRows = async (
    { out, signal }: Session,
    invalid: number,
    rows: (format: FileFormat) => Promise<ReadableStream<Uint8Array>>,
  ) => {
    if (!badRows || invalid === 0) return;
    await writeStream(await rows(badRowsFormat), badRows, signal);
    out.note(`Invalid rows written to ${badRows}`);
  };
  return { form, saveBadRows };
}

/** Says on a terminal that a file is being checked, which takes a while for a large one. */
export function noteChecking({ out }: Session, path: string): void {
  if (out.isLive) out.note(`Checking ${path === '-' ? 'standard input' : basename(path)} …`, 'dim');
}

/** Whether `--reject-invalid` rejects a checked file; `outcome`: what did not happen, such as `sent`. */
export function refusesInvalid<Columns>(
  { out }: Session,
  { rejectInvalid }: FileFlags<Columns>,
  { invalid, check, outcome }: { invalid: number; check: object; outcome: string },
): boolean {
  if (!rejectInvalid || invalid === 0) return false;
  if (out.json) out.result(check, () => '');
  out.problem(`Nothing was ${outcome}: correct the invalid rows, or omit --reject-invalid to skip them.`);
  return true;
}
