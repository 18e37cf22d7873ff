import { json, success, type HandlerResult } from '../http/handler-result';
import type { Exchange } from '../http/exchange';
import { GraphError, invalidParameter, unknownObject } from '../http/graph-error';
import { MEDIA_TYPES, mediaRule, type MediaStore, type StoredMedia } from './media-store';

const URL_LIFE_MS = 5 * 60_000;

/** The path of media downloads. */
export const MEDIA_PATH = 'whatsapp_business';

/** `POST /{phone-number-id}/media`: a multipart form with `messaging_product`, `file` and, if the file part has no type, `type`. */
export async function uploadMedia(exchange: Exchange, store: MediaStore): Promise<HandlerResult> {
  const form = await formOf(exchange);
  if (form.get('messaging_product') !== 'whatsapp') {
    throw invalidParameter('The parameter messaging_product is required.');
  }
  const file = form.get('file');
  if (!(file instanceof Blob)) throw invalidParameter('The parameter file is required.');
  const mimeType = mimeTypeOf(file.type, form.get('type'));
  const rule = mediaRule(mimeType);
  if (rule === undefined) {
    throw invalidParameter(`Param file must be a file with one of the following types: ${MEDIA_TYPES.join(', ')}.`);
  }
  if (file.size === 0 || file.size > rule.maxBytes) {
    throw new GraphError(131053, { details: `A file of kind ${rule.kind} has 1 to ${rule.maxBytes} bytes.` });
  }
  return json({ id: store.add(mimeType, Buffer.from(await file.arrayBuffer())).id });
}

/** `GET /{media-id}`: the metadata of a file and a download URL that is valid for five minutes. */
export function describeMedia(exchange: Exchange, media: StoredMedia): HandlerResult {
  const expires = Date.now() + URL_LIFE_MS;
  return json({
    messaging_product: 'whatsapp',
    url: `${exchange.origin}/${MEDIA_PATH}/attachments/?mid=${media.id}&ext=${expires}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.bytes.length,
    id: media.id,
  });
}

/** `GET` of a media object's `url`: the bytes, or 404 once the URL has expired. */
export function downloadMedia(exchange: Exchange, store: MediaStore): HandlerResult {
  // The platform's file host rejects requests without a User-Agent.
  if (exchange.header('user-agent') === '') {
    return { kind: 'reply', status: 403, contentType: 'text/plain', body: 'Forbidden' };
  }
  const media = store.get(exchange.query.get('mid') ?? '');
  const isValid = Number(exchange.query.get('ext')) > Date.now();
  if (media === undefined || !isValid)
    return { kind: 'reply', status: 404, contentType: 'text/plain', body: 'Not found' };
  return { kind: 'reply', status: 200, contentType: media.mimeType, body: media.bytes };
}

/** `DELETE /{media-id}`. */
export function deleteMedia(id: string, store: MediaStore): HandlerResult {
  if (!store.remove(id)) throw unknownObject(id);
  return success();
}

async function formOf(exchange: Exchange): Promise<FormData> {
  const headers = { 'content-type': exchange.header('content-type') };
  try {
    return await new Response(exchange.bytes, { headers }).formData();
  } catch {
    throw invalidParameter('The body is not a multipart form.');
  }
}

function mimeTypeOf(ofPart: string, given: unknown): string {
  const bare = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase();
  // A client may pass a kind such as "image"; only a MIME type is useful here.
  const named = typeof given === 'string' && given.includes('/') ? bare(given) : '';
  const part = bare(ofPart);
  return part === '' || part === 'application/octet-stream' ? named : part;
}
