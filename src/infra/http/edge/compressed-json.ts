import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { ENCODINGS } from './prepared-file';

/** Smaller responses, such as those of single sends, fit into one packet as they are. */
const MIN_BYTES = 1_024;
/** In half a millisecond to a tenth of the size; higher qualities take many times as long. */
const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const COMPRESS = {
  br: (text: string) => promisify(brotliCompress)(text, { params: PARAMS }),
  gzip: (text: string) => promisify(gzip)(text),
};

/**
 * Compresses JSON from 1 KB on, in other threads, for clients that accept it; all encodings share an ETag, which is weak. Not responses that no
 * cache may store: the size of a compressed response would reveal parts of a secret to a sender of text that is in it, too.
 */
export function compressJson(app: NestExpressApplication): void {
  const { response } = app.getHttpAdapter().getInstance();
  const { send } = response;
  response.send = function (this: Response, body?: unknown) {
    if (typeof body !== 'string' || body.length < MIN_BYTES || !mayBeCompressed(this)) return send.call(this, body);
    this.vary('Accept-Encoding');
    const tagOf = this.app.get('etag fn') as (text: string) => string;
    this.set('ETag', tagOf(body));
    const encoding = ENCODINGS.find((one) => this.req.acceptsEncodings(one) === one);
    if (!encoding || this.req.fresh) return send.call(this, body);
    void COMPRESS[encoding](body).then((bytes) => {
      this.set('Content-Encoding', encoding);
      send.call(this, bytes);
    });
    return this;
  };
}

function mayBeCompressed(response: Response): boolean {
  return (
    response.get('Content-Type')?.startsWith('application/json') === true &&
    !/no-store|no-transform/.test(response.get('Cache-Control') ?? '')
  );
}
