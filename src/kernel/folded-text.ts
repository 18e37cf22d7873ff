/** Letters that are no letter with a mark in Unicode, and are written without one by many. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ß: 'ss', ẞ: 'SS' },
};
const LETTERS = /[\u00c0-\u024f\u1e00-\u1eff\u212a]/g;
const MARKS = /[\u0300-\u036f]/g;
/** Written in several ways, or not at all: O’Connor, O'Connor, OConnor. */
const APOSTROPHES = "'’‘ʼ`´";
const SEPARATORS = /[\s,]+/;
const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');

/** Letters with a mark, and what they are without it: ASCII. */
const FOLDED_LETTERS = new Map(
  [[0xc0, 0x24f] as const, [0x1e00, 0x1eff] as const, [0x212a, 0x212a] as const].flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, n) => String.fromCharCode(first + n)).flatMap(
      (letter): [string, string][] => {
        const folded = OTHERS[letter] ?? letter.normalize('NFD').replace(MARKS, '');
        return /^[A-Za-z]+$/.test(folded) ? [[letter, folded]] : [];
      },
    ),
  ),
);

/** The text without regard to case, to marks of Latin letters and to apostrophes, for comparisons: `Aydın` and `AYDIN` are `aydin`, `Groß` is `gross`. */
export function foldText(text: string): string {
  const folded = text
    .replace(LETTERS, (letter) => FOLDED_LETTERS.get(letter) ?? letter)
    .replace(MARKS, '')
    .replace(APOSTROPHE, '');
  // Otherwise a search for a mark alone would find everything.
  return (folded || text).toLowerCase();
}

/** The folded words of a text; of a text of separators alone, itself. */
export function wordsOf(text: string): string[] {
  const words = foldText(text).split(SEPARATORS).filter(Boolean);
  return words.length > 0 ? words : [foldText(text)];
}

/** An SQL expression of `foldText` except for the case of letters outside ASCII, which databases fold differently. */
export function foldedSql(expression: string): string {
  const single = [...FOLDED_LETTERS].filter(([, folded]) => folded.length === 1);
  const marks = Array.from({ length: 0x70 }, (_, n) => String.fromCharCode(0x300 + n)).join('');
  const [from, to] = [single.map(([letter]) => letter).join(''), single.map(([, folded]) => folded).join('')];
  return `lower(translate(replace(replace(${expression}, 'ß', 'ss'), 'ẞ', 'SS'), '${from}${marks}${APOSTROPHES.replace("'", "''")}', '${to}'))`;
}
