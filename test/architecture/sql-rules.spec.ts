import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';

const FILES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => join('src', file));

/** Quoted and backticked texts, with their file. */
const TEXTS = FILES.flatMap((file) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([text]) => ({ file, text }));
});

/** The text between an opening bracket and its closing one. */
function bracketed(text: string, opening: number): string {
  let depth = 0;
  for (let at = opening; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(opening, at);
  }
  return text.slice(opening);
}

/** `x IN (SELECT … LIMIT n)`: PostgreSQL may run the inner statement again for each row, and return more than n. */
function limitsInsideIn(text: string): boolean {
  return [...text.matchAll(/\bIN (\()\s*SELECT\b/g)].some(({ index }) =>
    /\bLIMIT\b/.test(bracketed(text, text.indexOf('(', index))),
  );
}

/** Locks rows in an order that other statements may not share. */
function locksUnsorted(text: string): boolean {
  return [...text.matchAll(/\bFOR (?:UPDATE|SHARE)\b(?! SKIP LOCKED)/g)].some(({ index }) => {
    const select = text.slice(text.lastIndexOf('SELECT', index), index);
    const isOneRow = /\bWHERE (?:id|sender_id|account_id) = \$\d/.test(select) && !select.includes('= ANY');
    return select.includes('FROM') && !/\bORDER BY\b/.test(select) && !isOneRow;
  });
}

describe('SQL', () => {
  const breaking = (rule: (text: string) => boolean): string[] =>
    TEXTS.filter(({ text }) => rule(text)).map(({ file, text }) => `${file}: ${text}`);

  it('takes a number of rows with = ANY(ARRAY(SELECT … LIMIT …)), never with IN (SELECT … LIMIT …)', () => {
    expect(limitsInsideIn('DELETE FROM t WHERE id IN (\n  SELECT id FROM t ORDER BY (id) LIMIT $1)')).toBe(true);
    expect(breaking(limitsInsideIn)).toEqual([]);
  });

  it('locks several rows in a fixed order', () => {
    expect(locksUnsorted('SELECT 1 FROM t WHERE id = ANY($1::uuid[]) FOR UPDATE')).toBe(true);
    expect(breaking(locksUnsorted)).toEqual([]);
  });

  it('compares with the statement time in the engine, which an index can use', () => {
    const engine = TEXTS.filter(({ file }) => /^src\/modules\/(delivery|sending)\//.test(file));
    const isVolatile = ({ text }: { text: string }): boolean => /[<>]=?\s*clock_timestamp\(\)/.test(text);
    expect(engine.filter(isVolatile)).toEqual([]);
  });
});
