import { styleText } from 'node:util';
import { Help } from 'commander';
import type { ActingKeyDto } from '../client/generated/types.gen';

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

/** The beginning of a list. */
export interface CutList<T> {
  items: T[];
  /** Whether the list has more items. */
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
    if (this.json) return this.write(rows, () => '');
    if (rows.length === 0) return this.note(none);
    const filled = columns.map(([heading, of]) => ({ heading, cells: rows.map((row) => plain(of(row))) }));
    if (process.stdout.isTTY) return this.table(filled, essential);
    const lines = [
      filled.map(({ heading }) => heading),
      ...rows.map((_, row) => filled.map(({ cells }) => cells[row])),
    ];
    process.stdout.write(`${lines.map((line) => line.join('\t')).join('\n')}\n`);
  }

  /** The same for a list with a limit. */
  async firstOfList<T>(list: CutList<T>, columns: readonly Column<T>[], none: string): Promise<void> {
    await this.list(list.items, columns, none);
    this.noteIfCut(list);
  }

  /** Says that a list with a limit has more items. */
  noteIfCut({ items, hasMore }: CutList<unknown>): void {
    if (hasMore) this.note(`Only the first ${items.length} are listed; raise --limit to see more.`);
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
