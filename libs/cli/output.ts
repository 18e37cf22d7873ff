import { styleText } from 'node:util';
import { Help } from 'commander';
import type { ActingKeyDto } from '../client/generated/types.gen';
import { firstOf } from './cut-list';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const NARROWEST = 40;
const WIDEST = 200;
const GAP = '  ';
/** A column that needs this width and cannot have it is dropped. */
const READABLE = 12;
/** A column of texts says something from this width on. */
const LEGIBLE = 24;

/** One column of a table: its heading, and the text of a row in it. */
export type Column<T> = [heading: string, of: (row: T) => string | number | boolean | null | undefined];

/** How many items of a list were written, and whether it has more. */
interface WrittenList {
  count: number;
  hasMore: boolean;
}

interface FilledColumn {
  heading: string;
  cells: string[];
}

/** The output of a command: data on standard output, everything else on standard error. With `json`, data is JSON. */
export class Output {
  readonly json: boolean;
  /** Whether standard error is a terminal. */
  readonly isLive = process.stderr.isTTY === true;

  constructor({ json }: { json: boolean }) {
    this.json = json;
  }

  /** Writes the result, as JSON or as `text`. */
  result(value: unknown, text: () => string): void {
    this.write(value, () => plainLines(text()));
  }

  /** Writes one of many results on its own line, as JSON or as `text`. */
  line(value: unknown, text: () => string): void {
    process.stdout.write(`${this.json ? json(value) : plain(text())}\n`);
  }

  /**
   * A list: JSON, a table on a terminal, or lines with tabs for other programs. `essential`: the heading of a column without
   * which there is no table.
   */
  async list<T>(rows: readonly T[], columns: readonly Column<T>[], none: string, essential = ''): Promise<void> {
    if (this.json || !process.stdout.isTTY) return void (await this.lines(rows, columns, none));
    if (rows.length === 0) return this.note(none);
    const filled = columns.map(([heading, of]) => ({ heading, cells: rows.map((row) => plain(of(row))) }));
    return this.table(filled, essential);
  }

  /**
   * The same for the first `limit` items, by default all. Except in a table each is written when it arrives: a long list needs little memory,
   * and an error leaves it incomplete.
   */
  async firstOfList<T>(
    list: AsyncIterable<T>,
    columns: readonly Column<T>[],
    none: string,
    limit = Infinity,
  ): Promise<void> {
    if (this.json || !process.stdout.isTTY) return this.noteIfCut(await this.lines(list, columns, none, limit));
    const first = await firstOf(list, limit);
    await this.list(first.items, columns, none);
    this.noteIfCut({ count: first.items.length, hasMore: first.hasMore });
  }

  /** Writes the first `limit` items one by one, as a JSON array or as lines with tabs. */
  private async lines<T>(
    list: AsyncIterable<T> | readonly T[],
    columns: readonly Column<T>[],
    none: string,
    limit = Infinity,
  ): Promise<WrittenList> {
    let count = 0;
    let hasMore = false;
    for await (const item of list) {
      if (count === limit) {
        hasMore = true;
        break;
      }
      const isFirst = count++ === 0;
      if (this.json) {
        process.stdout.write(`${isFirst ? '[' : ','}\n  ${json(item, 2).replaceAll('\n', '\n  ')}`);
      } else {
        if (isFirst) process.stdout.write(`${columns.map(([heading]) => heading).join('\t')}\n`);
        process.stdout.write(`${columns.map(([, of]) => plain(of(item))).join('\t')}\n`);
      }
    }
    if (this.json) process.stdout.write(count === 0 ? '[]\n' : '\n]\n');
    else if (count === 0) this.note(none);
    return { count, hasMore };
  }

  /** Says that a list with a limit has more items. */
  noteIfCut({ count, hasMore }: WrittenList): void {
    if (hasMore) this.note(`Only the first ${count} are listed; raise --limit to see more.`);
  }

  /** A count for a column that a table on a terminal leaves out where all counts are 0. */
  rareCount(count: number): number | null {
    return count === 0 && process.stdout.isTTY ? null : count;
  }

  /**
   * The columns that fit the terminal, without empty ones. If most would not fit, or the essential one not even in part, each row
   * becomes a block of lines.
   */
  private async table(filled: FilledColumn[], essential: string): Promise<void> {
    const nonEmpty = filled.filter(({ cells }, index) => index === 0 || cells.some((cell) => cell !== ''));
    const wanted = nonEmpty.map(({ heading, cells }) => Math.max(...[heading, ...cells].map(({ length }) => length)));
    const widths = fitted(wanted, Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns || 80)));
    const needed = nonEmpty.findIndex(({ heading }) => heading === essential);
    const isHidden = needed >= 0 && (widths[needed] ?? 0) < Math.min(wanted[needed]!, LEGIBLE);
    if (isHidden || widths.length * 2 < nonEmpty.length) {
      const blocks = nonEmpty[0]!.cells.map((_, row) =>
        this.labelled(nonEmpty.map(({ heading, cells }) => [heading, cells[row]])),
      );
      return void process.stdout.write(`${blocks.join('\n\n')}\n`);
    }
    process.stdout.write(`${await drawn(nonEmpty.slice(0, widths.length), widths)}\n`);
    const left = nonEmpty.slice(widths.length).map(({ heading }) => heading);
    if (left.length > 0) this.note(`A wider terminal or --json also shows: ${left.join(', ')}`, 'dim');
  }

  /** Writes labelled facts, one per line. */
  facts(value: unknown, facts: readonly (readonly [string, unknown])[]): void {
    this.write(value, () => this.labelled(facts));
  }

  /** Writes a note to standard error. */
  note(text: string, colour?: Colour): void {
    const shown = wrapped(plainLines(text), process.stderr);
    process.stderr.write(`${colour ? this.styled(colour, shown, process.stderr) : shown}\n`);
  }

  /** Writes an error. */
  problem(text: string): void {
    const [name, ...lines] = wrapped(`messaging: ${plainLines(text)}`, process.stderr).split(/(?<=^messaging:)/);
    process.stderr.write(`${this.styled('red', name!, process.stderr)}${lines.join('')}\n`);
  }

  private write(value: unknown, text: () => string): void {
    process.stdout.write(`${this.json ? json(value, 2) : text()}\n`);
  }

  private labelled(facts: readonly (readonly [string, unknown])[]): string {
    const labelled = facts.filter(([, fact]) => fact !== null && fact !== undefined && fact !== '');
    const width = Math.max(...labelled.map(([name]) => name.length));
    return labelled
      .map(([name, fact]) => {
        const value = wrapped(plain(fact), process.stdout, width + GAP.length);
        return `${this.styled('dim', name.padEnd(width), process.stdout)}${GAP}${value}`;
      })
      .join('\n');
  }

  private styled(colour: Colour, text: string, stream: NodeJS.WriteStream): string {
    const isColoured = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
    return isColoured ? styleText(colour, text) : text;
  }
}

/** A count with its noun: `1 recipient`, `2 recipients`; `many` for irregular plurals. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A value on one line without control characters, which could move the cursor of a terminal. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** A word for a shell. */
export function shellWord(word: string): string {
  return /^[\w+:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The name of a key, or the id of one that has been deleted. */
export function keyText({ keyId, keyName }: ActingKeyDto): string {
  return keyName ?? `deleted key ${keyId}`;
}

/** The same for a text of several lines. */
function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** The text with its words whole in the width of the terminal that is `stream`; further lines begin below the first, after `indent` columns. */
function wrapped(text: string, stream: NodeJS.WriteStream, indent = 0): string {
  if (!stream.isTTY) return text;
  const help = new Help();
  help.minWidthToWrap = READABLE;
  return help.boxWrap(text, (stream.columns || 80) - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** JSON leaves some control characters unescaped. */
function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

async function drawn(columns: FilledColumn[], colWidths: number[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const isColoured = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const made = new Table({
    head: columns.map(({ heading }) => heading),
    colWidths,
    style: {
      head: isColoured ? ['bold'] : [],
      border: isColoured ? ['gray'] : [],
      compact: true,
      'padding-left': 0,
      'padding-right': 0,
    },
    chars: {
      mid: '',
      'left-mid': '',
      'mid-mid': '',
      'right-mid': '',
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      right: '',
      middle: GAP,
    },
  });
  made.push(...columns[0]!.cells.map((_, row) => columns.map(({ cells }) => cells[row])));
  return made.toString();
}

/**
 * Column widths that fit a line of `total`. The first one is never cut, because it identifies the row; of the others
 * the widest shrink, and the last ones are dropped if the rest would be unreadable.
 */
export function fitted(wanted: readonly number[], total: number): number[] {
  const [first = 0, ...others] = wanted;
  const widths = [Math.min(first, total)];
  const left = () => total - widths.reduce((sum, width) => sum + width + GAP.length, 0);
  for (const width of others) {
    if (left() < Math.min(width, READABLE)) break;
    widths.push(Math.min(width, READABLE));
  }
  for (let spare = left() + GAP.length; spare > 0; spare--) {
    const narrowest = Math.min(...widths.filter((width, index) => width < wanted[index]!));
    if (narrowest === Infinity) break;
    widths[widths.findIndex((width, index) => width === narrowest && width < wanted[index]!)]! += 1;
  }
  return widths;
}
