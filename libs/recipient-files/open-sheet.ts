import { open } from 'node:fs/promises';
import { openCsv } from './csv/open-csv';
import type { FileLimits } from './file-limits';
import { FileRefused } from './file-refused';
import { fileKind } from './file-type';
import type { OpenedSheet } from './sheet-row';
import { openXls } from './xls/open-xls';
import { openXlsx } from './xlsx/open-xlsx';

const HEAD_BYTES = 64;

/** Opens the sheet of a file of any supported type, detected by its bytes. Throws FileRefused. */
export async function openSheet(path: string, limits: FileLimits): Promise<OpenedSheet> {
  const head = await readHead(path);
  if (head.length === 0) {
    throw new FileRefused({ code: 'file_empty', message: 'The file is empty. Upload a file with at least one row.' });
  }
  switch (fileKind(head)) {
    case 'zip':
      return openXlsx(path, limits);
    case 'ole':
      return openXls(path, limits);
    case 'text':
      return openCsv(path, limits);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
