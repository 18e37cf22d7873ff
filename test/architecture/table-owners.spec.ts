import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';
import { tablesByPartition } from './schema-tables';
import { type AccessByTable, accessIn, accessInSources } from './table-access';

/** Kinds of statements, in the order of a row. */
const KINDS = ['INSERT', 'UPDATE', 'DELETE'];

/** A row of the table in docs/architecture.md: the writers, the owner first, and the readers. */
interface DocumentedRow {
  table: string;
  writers: string[];
  readers: string[];
}

function documentedRows(): DocumentedRow[] {
  const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = document.split(/^## /m).find((part) => part.startsWith('Tables\n')) ?? '';
  return [...section.matchAll(/^\| `(\w+)` *\|([^|]*)\|([^|]*)\|$/gm)].map(([, table, writers, readers]) => ({
    table: table!,
    writers: cell(writers!, '; '),
    readers: cell(readers!, ', '),
  }));
}

function cell(text: string, separator: string): string[] {
  const plain = text.replaceAll('`', '').trim();
  return plain === '' ? [] : plain.split(separator);
}

/** The accesses of the sources to a table, in the form of the documented row: columns only if the row names them. */
function rowInSources({ table, writers }: DocumentedRow, access: AccessByTable): DocumentedRow {
  const modules = [...(access.get(table) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
  const [owner] = writers;
  const others = modules.filter(([module, { writes }]) => writes.size > 0 && module !== owner);
  const isWritten = modules.some(([module, { writes }]) => module === owner && writes.size > 0);
  return {
    table,
    writers: [
      ...(isWritten ? [owner!] : []),
      ...others.map(([module, { writes, columns }]) => {
        const namesColumns = writers.some((writer) => writer.startsWith(`${module}: UPDATE of `));
        const kinds = KINDS.filter((kind) => writes.has(kind)).join(', ');
        return `${module}: ${kinds}${namesColumns ? ` of ${[...columns].sort().join(', ')}` : ''}`;
      }),
    ],
    readers: modules.filter(([, { writes, reads }]) => writes.size === 0 && reads).map(([module]) => module),
  };
}

describe('Tables', () => {
  const tables = tablesByPartition();

  it('are all in docs/architecture.md, and no others', () => {
    expect(
      documentedRows()
        .map(({ table }) => table)
        .sort(),
    ).toEqual([...new Set(tables.values())].sort());
  });

  it('are written and read exactly by the modules in docs/architecture.md', () => {
    const access = accessInSources(tables);
    expect(documentedRows().map((row) => rowInSources(row, access))).toEqual(documentedRows());
  });
});

describe('The reading of SQL', () => {
  const TABLES = new Map([
    ['people', 'people'],
    ['people_2026', 'people'],
    ['notes', 'notes'],
  ]);

  function used(source: string): Record<string, string> {
    const access: AccessByTable = new Map();
    accessIn(source, 'module', TABLES, access);
    return Object.fromEntries(
      [...access].map(([table, modules]) => {
        const { writes, columns, reads } = modules.get('module')!;
        return [
          table,
          [...writes, ...[...columns].map((column) => `(${column})`), ...(reads ? ['read'] : [])].join(' '),
        ];
      }),
    );
  }

  it.each([
    ['an INSERT', "q('INSERT INTO people (id) VALUES ($1)')", { people: 'INSERT' }],
    ['an UPDATE with an alias', "q('UPDATE people p SET a = 1, b = p.b WHERE id = $1')", { people: 'UPDATE (a) (b)' }],
    ['a DELETE in a CTE', 'q(`WITH gone AS (DELETE FROM people) SELECT 1`)', { people: 'DELETE' }],
    ['a partition', "q('DELETE FROM people_2026')", { people: 'DELETE' }],
    ['a JOIN', 'q(`${START} JOIN people p ON true`)', { people: 'read' }],
    ['a list of tables', "q('SELECT 1 FROM notes, people')", { notes: 'read', people: 'read' }],
    ['a lock', "q('LOCK TABLE notes')", { notes: 'read' }],
    ['an INSERT from a SELECT', "q('INSERT INTO people SELECT * FROM notes')", { people: 'INSERT', notes: 'read' }],
    ['an entity', "@Entity('notes')\nclass NoteEntity {}", { notes: 'INSERT UPDATE DELETE' }],
    ['an inserted name', "clear('notes'); q(`DELETE FROM ${table}`)", { notes: 'INSERT UPDATE DELETE' }],
  ])('finds %s', (_what, source, found) => {
    expect(used(source)).toEqual(found);
  });

  it.each([
    ['comments', "// DELETE FROM people\nq('SELECT 1 -- FROM people\\n')"],
    ['texts inside of SQL', `q("SELECT 'FROM people' AS text")`],
    ['other texts', "@Controller('people')\nclass People {}"],
    ['locks of rows', "q('SELECT 1 FOR UPDATE SKIP LOCKED')"],
  ])('ignores %s', (_what, source) => {
    expect(used(source)).toEqual({});
  });
});
