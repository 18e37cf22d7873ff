import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { MeasuredService } from './measured-service';

/** A template of the sandbox with two values. */
const TEMPLATE = 'order_update';

/** A job created by an upload, and the seconds until its 202. */
export interface TimedUpload {
  jobId: string;
  seconds: number;
}

/** Uploads a file with these fields and waits for the 202; throws unless all `rows` became recipients. */
export async function upload(
  service: MeasuredService,
  path: string,
  rows: number,
  fields: Record<string, string> = { templateName: TEMPLATE },
): Promise<TimedUpload> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), basename(path));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const begun = performance.now();
  const { status, body } = await service.client.call('POST', '/bulk-import-messages', { form });
  const seconds = (performance.now() - begun) / 1000;
  if (status !== 202 || body.totalRecipients !== rows || body.invalidRows !== 0) {
    throw new Error(`The upload was answered ${status}: ${JSON.stringify(body)}`);
  }
  return { jobId: body.jobId as string, seconds };
}
