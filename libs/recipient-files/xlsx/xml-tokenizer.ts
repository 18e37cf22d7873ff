import { corrupt, tooLarge } from '../file-refused';

const MAX_DEPTH = 64;
const LESS_THAN = 60;
const GREATER_THAN = 62;
const SLASH = 47;
const COLON = 58;
const EXCLAMATION = 33;
const QUESTION = 63;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const CDATA_LENGTH = '<![CDATA['.length;

/** Receives the content of an XML part; names are without namespace prefix, texts and attributes are not decoded. */
export interface XmlHandler {
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** One chunk of text; an element may have several. `literal` (CDATA) text must not be decoded. */
  text(text: string, literal: boolean): void;
}

/** Limits of one XML part. */
export interface XmlLimits {
  /** Characters between two tags, or inside one. */
  tokenCharacters: number;
  elements: number;
}

/**
 * Splits chunked XML into tags and text. Supports the XML of spreadsheets and rejects the rest: document type
 * definitions (and with them entities), nesting beyond 64, tags that do not match, text, tags or elements beyond the limits.
 */
export class XmlTokenizer {
  private rest = '';
  private elements = 0;
  private readonly openElements: string[] = [];
  private rootSeen = false;

  constructor(
    private readonly handler: XmlHandler,
    private readonly limits: XmlLimits,
  ) {}

  /** Processes the next chunk. Throws FileRefused if the XML is damaged. */
  write(chunk: string): void {
    const source = this.rest === '' ? chunk : this.rest + chunk;
    let at = 0;
    for (;;) {
      const tag = source.indexOf('<', at);
      if (tag === -1) break;
      if (tag > at) this.text(source.slice(at, tag));
      at = tag;
      const end = this.markup(source, tag);
      if (end === -1) break;
      at = end;
    }
    this.rest = at === 0 ? source : source.slice(at);
    const { tokenCharacters, elements } = this.limits;
    if (this.rest.length > tokenCharacters) {
      throw tooLarge('A text in it is longer than a cell may be.', tokenCharacters);
    }
    if (this.elements > elements) throw tooLarge('It has more XML elements than a file of its size needs.', elements);
  }

  /** Ends the input. Throws FileRefused if the XML is incomplete. */
  end(): void {
    if (this.openElements.length > 0 || !this.rootSeen || this.rest.trim() !== '') throw corrupt('It is incomplete.');
  }

  /** Processes the markup that starts with `<` at `start`; returns its end, or -1 if it has not arrived yet. */
  private markup(source: string, start: number): number {
    const first = source.charCodeAt(start + 1);
    if (first === SLASH) return this.closingTag(source, start);
    if (first === EXCLAMATION) return this.commentOrCdata(source, start);
    if (first === QUESTION) return after(source, '?>', start);
    return this.openingTag(source, start);
  }

  private closingTag(source: string, start: number): number {
    const end = source.indexOf('>', start);
    if (end === -1) return -1;
    const name = source.slice(start + 2, end).trimEnd();
    if (this.openElements.pop() !== name) throw corrupt('Its tags do not match.');
    this.handler.close(name.slice(name.indexOf(':') + 1));
    return end + 1;
  }

  private commentOrCdata(source: string, start: number): number {
    if (source.startsWith('<!--', start)) return after(source, '-->', start + 4);
    if (source.startsWith('<![CDATA[', start)) {
      const end = source.indexOf(']]>', start);
      if (end === -1) return -1;
      if (this.openElements.length === 0) throw corrupt('It contains text outside of its elements.');
      this.handler.text(source.slice(start + CDATA_LENGTH, end), true);
      return end + 3;
    }
    if (source.length - start < CDATA_LENGTH) return -1;
    throw corrupt('It contains a document type definition, which spreadsheets do not have.');
  }

  private openingTag(source: string, start: number): number {
    const end = tagEnd(source, start + 1);
    if (end === -1) return -1;
    const selfClosing = source.charCodeAt(end - 1) === SLASH;
    const last = selfClosing ? end - 1 : end;
    let nameEnd = start + 1;
    let localStart = nameEnd;
    for (; nameEnd < last; nameEnd++) {
      const code = source.charCodeAt(nameEnd);
      if (code <= 32) break;
      if (code === COLON) localStart = nameEnd + 1;
    }
    if (localStart >= nameEnd) throw corrupt('It contains a tag without a name.');
    if (this.rootSeen && this.openElements.length === 0) throw corrupt('It contains more than one document.');
    this.rootSeen = true;
    if (this.openElements.length >= MAX_DEPTH) throw corrupt(`Its elements are nested more than ${MAX_DEPTH} deep.`);
    const name = source.slice(localStart, nameEnd);
    this.elements++;
    this.handler.open(name, source.slice(nameEnd, last));
    if (selfClosing) this.handler.close(name);
    else this.openElements.push(source.slice(start + 1, nameEnd));
    return end + 1;
  }

  private text(text: string): void {
    if (this.openElements.length > 0) this.handler.text(text, false);
    else if (text.trim() !== '') throw corrupt('It contains text outside of its elements.');
  }
}

/** The end of the tag that is open at `from`; a `>` inside quotes is ignored. */
function tagEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === GREATER_THAN) return at;
    if (code === LESS_THAN) throw corrupt('It contains a tag inside a tag.');
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      at = source.indexOf(source.charAt(at), at + 1);
      if (at === -1) return -1;
    }
  }
  return -1;
}

function after(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}
