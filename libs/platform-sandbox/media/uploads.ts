import { randomBytes } from 'node:crypto';
import { json, type HandlerResult } from '../http/handler-result';
import type { Exchange } from '../http/exchange';
import { invalidParameter, unknownObject } from '../http/graph-error';

interface Upload {
  length: number;
  type: string;
  received: number;
}

const MAX_UPLOADS = 1000;

/** Resumable uploads, which yield handles for example media of template headers; the bytes are not stored. */
export class Uploads {
  private readonly uploads = new Map<string, Upload>();

  /** `POST /{app-id}/uploads`: opens a session for a file of known length and type. */
  open(exchange: Exchange): HandlerResult {
    const { file_length: fileLength, file_type: type } = exchange.parameters();
    const length = Number(fileLength);
    if (!Number.isInteger(length) || length < 1) throw invalidParameter('The parameter file_length is required.');
    if (typeof type !== 'string' || !type.includes('/')) throw invalidParameter('The parameter file_type is required.');
    const id = `upload:${randomBytes(18).toString('base64url')}`;
    this.uploads.set(id, { length, type, received: 0 });
    if (this.uploads.size > MAX_UPLOADS) this.uploads.delete(this.uploads.keys().next().value ?? '');
    return json({ id });
  }

  /** `POST /upload:…`: receives bytes from `file_offset`; returns the handle once complete, otherwise the next offset. */
  receive(exchange: Exchange, id: string): HandlerResult {
    const upload = this.find(id);
    if (Number(exchange.header('file_offset')) !== upload.received) {
      throw invalidParameter(`The header file_offset must be ${upload.received}.`);
    }
    if (upload.received + exchange.bytes.length > upload.length) {
      throw invalidParameter(`More bytes than the announced ${upload.length}.`);
    }
    upload.received += exchange.bytes.length;
    if (upload.received < upload.length) return this.state(id);
    const parts = [id, upload.type].map((part) => Buffer.from(part).toString('base64'));
    return json({ h: `4::${parts.join(':')}:${randomBytes(12).toString('hex')}` });
  }

  /** `GET /upload:…`: the number of received bytes. */
  state(id: string): HandlerResult {
    return json({ id, file_offset: this.find(id).received });
  }

  private find(id: string): Upload {
    const upload = this.uploads.get(id);
    if (upload === undefined) throw unknownObject(id);
    return upload;
  }
}
