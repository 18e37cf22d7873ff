/** Media for the header: a media id of the platform or a public URL; exactly one of them. */
export interface HeaderMedia {
  id?: string;
  link?: string;
  /** Of a document: the name that the recipient sees; absent: the last part of `link`. */
  fileName?: string;
}

/** The place that a location header shows, in degrees north and east. */
export interface HeaderLocation {
  latitude: number;
  longitude: number;
  name: string;
  address: string;
}

/** What a message takes beside its list of values, the same for all recipients of a job. */
export interface TemplateExtras extends HeaderMedia {
  location?: HeaderLocation;
  /** What comes back when somebody taps a quick-reply button, by its index among all buttons of the template, from "0". */
  payloads?: Record<string, string>;
}

/** The fields of a request for them; null is the same as absent. */
interface ExtrasFields {
  headerMediaId?: string | null;
  headerMediaUrl?: string | null;
  headerMediaFileName?: string | null;
  headerLocation?: HeaderLocation | null;
  quickReplyPayloads?: Record<string, string> | null;
}

const LONGEST_FILE_NAME = 240;

/** What a request gives beside its values, even if it was given twice; null if there is none. */
export function extrasOf(fields: ExtrasFields): TemplateExtras | null {
  const { headerMediaId: id, headerMediaUrl: link, headerMediaFileName: fileName, headerLocation: location } = fields;
  const payloads = Object.keys(fields.quickReplyPayloads ?? {}).length > 0 ? fields.quickReplyPayloads : null;
  const given = Object.entries({ id, link, fileName, location, payloads }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** The platform shows a document without a name as "Untitled". */
export function named(media: HeaderMedia): HeaderMedia {
  const fileName = media.fileName ?? lastPartOf(media.link);
  return fileName === undefined ? media : { ...media, fileName };
}

function lastPartOf(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const part = new URL(link).pathname.split('/').at(-1) ?? '';
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // Not encoded text: the part as it stands.
  }
  name = name.replaceAll(/[/\\\p{Cc}\p{Cs}]/gu, '').slice(0, LONGEST_FILE_NAME);
  return name === '' ? undefined : name;
}
