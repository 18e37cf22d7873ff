import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './cruise';

/** How one module uses one table. */
export interface TableAccess {
  /** Kinds of its writing statements: INSERT, UPDATE, DELETE; an entity of the table counts as all three. */
  writes: Set<string>;
  /** Columns that its UPDATE statements set. */
  columns: Set<string>;
  reads: boolean;
}

/** By table, then by module: `accounts`, or `infra/http` outside the modules. */
export type AccessByTable = Map<string, Map<string, TableAccess>>;

const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN|LOCK TABLE)\b/;
const WRITING = /\b(INSERT INTO|UPDATE|DELETE FROM) (?:ONLY )?(\w+)\b/g;
/** An inserted table name: the possible names are in the same file. */
const NAME_PUT_IN = /\b(INTO|UPDATE|FROM|JOIN|TABLE) \?/;

/** Reads the SQL of every source file but the schema; `tables` maps each name to its table, as partitions have several. */
export function accessIn(source: string, module: string, tables: Map<string, string>, access: AccessByTable): void {
  const texts = literalsOf(source);
  const statements = texts.filter((text) => SQL.test(text)).map((text) => text.replaceAll(/'[^']*'/g, "''"));
  const of = (name: string): TableAccess => {
    const modules = access.get(tables.get(name)!) ?? new Map<string, TableAccess>();
    access.set(tables.get(name)!, modules);
    const found = modules.get(module) ?? { writes: new Set(), columns: new Set(), reads: false };
    modules.set(module, found);
    return found;
  };
  for (const statement of statements) {
    for (const [, kind, name] of statement.matchAll(WRITING)) {
      if (tables.has(name!)) of(name!).writes.add(kind!.split(' ')[0]!);
    }
    for (const [, name, columns] of statement.matchAll(
      /\bUPDATE (\w+)(?: (?!SET)\w+)? SET (.*?)(?= WHERE | FROM |$)/g,
    )) {
      if (!tables.has(name!)) continue;
      for (const [, column] of columns!.matchAll(/(?:^|, )(\w+) = /g)) of(name!).columns.add(column!);
    }
    for (const [name] of statement.replaceAll(WRITING, '').matchAll(/\b[a-z_]\w*\b/g)) {
      if (tables.has(name)) of(name).reads = true;
    }
  }
  const putIn = statements.some((statement) => NAME_PUT_IN.test(statement)) ? texts : [];
  const entities = [...source.matchAll(/^@Entity\('(\w+)'\)/gm)].map((match) => match[1]!);
  for (const name of [...putIn, ...entities].filter((text) => tables.has(text))) {
    for (const kind of ['INSERT', 'UPDATE', 'DELETE']) of(name).writes.add(kind);
  }
}

/** See accessIn. */
export function accessInSources(tables: Map<string, string>): AccessByTable {
  const access: AccessByTable = new Map();
  for (const folder of ['src/modules', 'src/infra']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /\.spec\.ts$|\/(fixtures|schema)\//.test(file)) continue;
      const name = file.split('/')[0]!;
      const module = folder === 'src/infra' ? `infra/${name}` : name;
      accessIn(readFileSync(join(ROOT, folder, file), 'utf8'), module, tables, access);
    }
  }
  return access;
}

/** Texts of the string and template literals, on one line; `?` stands for inserted values. */
function literalsOf(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('?'));
    } else if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return texts.map((text) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim());
}
