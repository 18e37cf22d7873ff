import { domainError } from '../../../kernel/domain-error';

/** No byte of an upload arrived for too long. */
export class UploadStalledError extends domainError({
  code: 'upload_stalled',
  kind: 'invalid',
  when: 'No byte of the upload arrived for 10 s, so it was aborted.',
  remedy: 'Upload the file again over a stable connection.',
}) {
  constructor(stallMs: number) {
    super(`No byte of the upload arrived for ${stallMs / 1000} s; nothing was done. Upload the file again.`);
  }
}
