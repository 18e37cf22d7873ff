/** An inline element of a text. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { kind: 'code'; children: Inline[] }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'variable'; name: string };

/** A paragraph (line breaks preserved), code block, quote or list. */
export type Block =
  | { kind: 'text'; children: Inline[] }
  | { kind: 'mono'; children: Inline[] }
  | { kind: 'quote'; children: Inline[] }
  | { kind: 'list'; start: number | null; items: Inline[][] };

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' } as const;
const WORD = /[\p{L}\p{N}]/u;
const FENCE = /```([\s\S]+?)```/g;
const BULLET = /^\s?[-*•] (.+)$/;
const NUMBER = /^\s?(\d{1,3})\. (.+)$/;
const QUOTE = /^> ?(.*)$/;
const URL_AT = /(?:https?:\/\/|www\.)[^\s<>"\u{E000}\u{E001}]+/uy;
/** Trailing punctuation that belongs to the sentence, not to the URL. */
const AFTER_URL = /[.,!?;:)\]'*_~`]+$/;
const VARIABLE_AT = /\u{E000}([^\u{E001}]*)\u{E001}/uy;

/** Marks an unfilled variable for `parseText`, delimited by two private-use characters. */
export function openVariable(name: string): string {
  return `\u{E000}${name}\u{E001}`;
}

/** Whether a variable of the text is unfilled. */
export function hasVariable(text: string): boolean {
  return text.includes('\u{E000}');
}

/**
 * Parses WhatsApp markup: `*bold*`, `_italic_`, `~strike~`, code, lists, quotes and URLs. A mark takes effect if it touches the
 * text inside, touches no letter or digit outside, and is closed on the same line.
 */
export function parseText(text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const fence of text.matchAll(FENCE)) {
    blocks.push(...blocksOf(text.slice(from, fence.index)));
    blocks.push({ kind: 'mono', children: variablesOf(fence[1] ?? '') });
    from = fence.index + fence[0].length;
  }
  return [...blocks, ...blocksOf(text.slice(from))];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const endLines = () => {
    const joined = lines.join('\n');
    if (joined !== '') blocks.push({ kind: 'text', children: inlinesOf(joined) });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const number = NUMBER.exec(line);
    const item = number?.[2] ?? BULLET.exec(line)?.[1];
    const quote = QUOTE.exec(line);
    if (item === undefined && !quote) {
      lines.push(line);
      continue;
    }
    const before = lines.length > 0 ? undefined : blocks.at(-1);
    endLines();
    if (quote) {
      blocks.push({ kind: 'quote', children: inlinesOf(quote[1] ?? '') });
    } else if (before?.kind === 'list' && (before.start === null) === !number) {
      before.items.push(inlinesOf(item ?? ''));
    } else {
      blocks.push({ kind: 'list', start: number ? Number(number[1]) : null, items: [inlinesOf(item ?? '')] });
    }
  }
  endLines();
  return blocks;
}

function inlinesOf(text: string): Inline[] {
  const found: Inline[] = [];
  let plain = '';
  const add = (inline: Inline) => {
    if (plain !== '') found.push({ kind: 'text', text: plain });
    plain = '';
    found.push(inline);
  };
  for (let at = 0; at < text.length;) {
    const variable = matchAt(VARIABLE_AT, text, at);
    const address = WORD.test(text[at - 1] ?? '') ? null : matchAt(URL_AT, text, at)?.[0].replace(AFTER_URL, '');
    const end = closingOf(text, at);
    if (variable) {
      add({ kind: 'variable', name: variable[1] ?? '' });
      at += variable[0].length;
    } else if (address) {
      add({ kind: 'link', text: address, href: address.startsWith('www.') ? `https://${address}` : address });
      at += address.length;
    } else if (end !== null) {
      const inside = text.slice(at + 1, end);
      const kind = STYLES[text[at] as keyof typeof STYLES];
      add({ kind, children: kind === 'code' ? variablesOf(inside) : inlinesOf(inside) });
      at = end + 1;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== '') found.push({ kind: 'text', text: plain });
  return found;
}

/** Index of the closing mark; null if the character at `at` does not open one. */
function closingOf(text: string, at: number): number | null {
  const mark = text[at] ?? '';
  if (!(mark in STYLES) || WORD.test(text[at - 1] ?? '') || /^(\s|$)/.test(text.charAt(at + 1))) return null;
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    const touches = text[end] === mark && end > at + 1 && !/\s/.test(text[end - 1] ?? '');
    if (touches && !WORD.test(text[end + 1] ?? '')) return end;
  }
  return null;
}

function variablesOf(text: string): Inline[] {
  return text
    .split(/(\u{E000}[^\u{E001}]*\u{E001})/u)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('\u{E000}') ? { kind: 'variable', name: part.slice(1, -1) } : { kind: 'text', text: part },
    );
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
