import { corrupt } from '../file-refused';

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const HIGHEST_CODE_POINT = 0x10ffff;

/** Text with its character references resolved. Throws FileRefused for entities that only a document type could define. */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,32});?/g, (reference, name: string) => {
    if (!reference.endsWith(';')) throw corrupt('It contains an invalid "&".');
    const character = name.startsWith('#') ? numericReference(name) : NAMED.get(name);
    if (character === undefined) throw corrupt('It contains an invalid character reference.');
    return character;
  });
}

/** Cell text with the escapes of the format resolved once: `_x000D_` is a line break, `_x005F_` an underscore. */
export function decodeCellEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The decoded value of an attribute, by its name without prefix; undefined if it is absent. */
export function attribute(attributes: string, name: string): string | undefined {
  let at = 0;
  for (;;) {
    while (attributes.charCodeAt(at) <= 32) at++;
    const equals = attributes.indexOf('=', at);
    if (equals === -1) return undefined;
    let nameEnd = equals;
    while (nameEnd > at && attributes.charCodeAt(nameEnd - 1) <= 32) nameEnd--;
    let quote = equals + 1;
    while (attributes.charCodeAt(quote) <= 32) quote++;
    const mark = attributes.charAt(quote);
    const valueEnd = mark === '"' || mark === "'" ? attributes.indexOf(mark, quote + 1) : -1;
    if (valueEnd === -1) throw corrupt('It contains an attribute without quotes.');
    if (isNamed(attributes, at, nameEnd, name)) return decodeXmlText(attributes.slice(quote + 1, valueEnd));
    at = valueEnd + 1;
  }
}

function isNamed(attributes: string, start: number, end: number, name: string): boolean {
  const local = end - name.length;
  if (local < start || !attributes.startsWith(name, local)) return false;
  return local === start || attributes.charAt(local - 1) === ':';
}

function numericReference(name: string): string | undefined {
  const code = /^#x[0-9a-f]{1,8}$/i.test(name)
    ? parseInt(name.slice(2), 16)
    : /^#\d{1,9}$/.test(name)
      ? Number(name.slice(1))
      : NaN;
  if (!(code <= HIGHEST_CODE_POINT)) return undefined;
  // Lone surrogates are accepted here: the row that contains one is invalid, not the file.
  return code < 0x10000 ? String.fromCharCode(code) : String.fromCodePoint(code);
}
