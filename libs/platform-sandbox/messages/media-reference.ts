import { GraphError, invalidParameter } from '../http/graph-error';
import { isObject, type JsonObject } from '../http/exchange';
import { invalid, missing } from './envelope';
import { isUrl } from '../http/is-url';

/** The kind (image, video, …) of the uploaded media with this id; undefined if it was not uploaded here. */
export type MediaKindOf = (id: string) => string | undefined;

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Validates the object under `image`, `video`, …: either an id of this kind of media, or a link. */
export function checkMediaReference(
  value: unknown,
  kind: string,
  kindOf: MediaKindOf,
  strict: boolean,
  place: string,
): JsonObject {
  if (!isObject(value)) throw missing(`${place}: ${kind} is missing`);
  const { id, link, filename } = value;
  if (id !== undefined && link !== undefined) throw invalid(`${place}: give either id or link, not both`);
  if (id === undefined && link === undefined) throw missing(`${place}: ${kind} needs an id or a link`);
  if (filename !== undefined && (kind !== 'document' || typeof filename !== 'string')) {
    throw invalid(`${place}: filename is a text, for documents only`);
  }
  if (link !== undefined) checkLink(link, place);
  else checkId(id, kind, kindOf, strict, place);
  return value;
}

function checkLink(link: unknown, place: string): void {
  if (typeof link === 'string' && /^https?:\/\//i.test(link) && isUrl(link) && link.length <= 2048) return;
  throw invalidParameter(`Param link of ${place} is not a valid URI.`);
}

function checkId(id: unknown, kind: string, kindOf: MediaKindOf, strict: boolean, place: string): void {
  const known = typeof id === 'string' ? kindOf(id) : undefined;
  if (typeof id !== 'string' || !ID.test(id) || (strict && known === undefined)) {
    throw invalidParameter(`Param id of ${place} is not a valid whatsapp business account media attachment ID`);
  }
  if (known !== undefined && known !== kind) {
    throw new GraphError(131053, { details: `${place}: the media is of kind ${known}, not ${kind}` });
  }
}
