import { styleText } from 'node:util';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const NARROWEST = 40;
const WIDEST = 200;

/** One column of a table: its heading, and what a row shows in it. */
export type Column<T> = [heading: string, of: (row: T) => string | number | boolean | null | undefined];

/** What a command writes: data on standard output, everything else on standard error. With `json` data is JSON. */
export class Output {
  readonly json: boolean;
  /** Whether a person sees standard error as it is written. */
  readonly isLive = process.stderr.isTTY === true;

  constructor({ json }: { json: boolean }) {
    this.json = json;
  }

  /** The result: as JSON, or as `text` says it. */
  result(value: unknown, text: () => string): void {
    this.write(value, () => plainLines(text()));
  }

  /** One of many results, each in a line of its own: as JSON, or as `text` says it. */
  line(value: unknown, text: () => string): void {
    process.stdout.write(`${this.json ? json(value) : plain(text())}\n`);
  }

  /** A list: JSON, a table on a terminal, or lines with tabs for other programs. */
  async list<T>(rows: readonly T[], columns: readonly Column<T>[], none: string): Promise<void> {
    if (this.json) return this.write(rows, () => '');
    if (rows.length === 0) return this.note(none);
    const cells = rows.map((row) => columns.map(([, of]) => plain(of(row))));
    const headings = columns.map(([heading]) => heading);
    const isTerminal = process.stdout.isTTY === true;
    process.stdout.write(
      `${isTerminal ? await table(headings, cells) : [headings, ...cells].map((row) => row.join('\t')).join('\n')}\n`,
    );
  }

  /** Facts with their names, one in a line. */
  facts(value: unknown, facts: readonly (readonly [string, unknown])[]): void {
    const told = facts.filter(([, fact]) => fact !== null && fact !== undefined && fact !== '');
    const width = Math.max(...told.map(([name]) => name.length));
    this.write(value, () =>
      told
        .map(([name, fact]) => `${this.styled('dim', name.padEnd(width), process.stdout)}  ${plain(fact)}`)
        .join('\n'),
    );
  }

  /** What helps a person, on standard error. */
  note(text: string, colour?: Colour): void {
    const shown = plainLines(text);
    process.stderr.write(`${colour ? this.styled(colour, shown, process.stderr) : shown}\n`);
  }

  /** What went wrong. */
  problem(text: string): void {
    process.stderr.write(`${this.styled('red', 'messaging:', process.stderr)} ${plainLines(text)}\n`);
  }

  private write(value: unknown, text: () => string): void {
    process.stdout.write(`${this.json ? json(value, 2) : text()}\n`);
  }

  private styled(colour: Colour, text: string, stream: NodeJS.WriteStream): string {
    const isColoured = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
    return isColoured ? styleText(colour, text) : text;
  }
}

/** A count and what is counted: `1 recipient`, `2 recipients`; `many` where an s is not enough. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A value in one line without control characters, which could move the cursor of a terminal. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** The same for a text of several lines. */
function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** JSON leaves some control characters as they are. */
function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

async function table(headings: string[], rows: string[][]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const wanted = headings.map(
    (heading, index) => Math.max(heading.length, ...rows.map((row) => row[index]!.length)) + 2,
  );
  const isColoured = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const made = new Table({
    head: headings,
    colWidths: fitted(wanted, Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns || 80))),
    style: { head: isColoured ? ['bold'] : [], border: isColoured ? ['gray'] : [], compact: true },
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
      middle: ' ',
    },
  });
  made.push(...rows);
  return made.toString();
}

/** Widths of columns that fit a line of `total`: the widest give way first. */
export function fitted(wanted: readonly number[], total: number): number[] {
  const widths = [...wanted];
  const room = total - (widths.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= 4) break;
    widths[widest]! -= 1;
  }
  return widths;
}
