import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';
import { tablesByPartition } from './schema-tables';

/** The tables in the last column of the list of how long data is kept. */
function tablesInDocument(): string[] {
  const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const section = document.split(/^## /m).find((part) => part.startsWith('How long data is kept\n')) ?? '';
  const [, ...rows] = [...section.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, tables]) => tables!);
  return rows.flatMap((tables) => [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table!));
}

describe('How long data is kept', () => {
  it('is documented for every table, once', () => {
    expect(tablesInDocument().sort()).toEqual([...new Set(tablesByPartition().values())].sort());
  });
});
