import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

/** The columns whose changes are events, by table. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  bulk_jobs: ['status', 'started_at', 'throttled_reason', 'window_opens_at', 'at_rest'],
  sender_lanes: ['throttled_reason'],
};

/** The beginning of an UPDATE or of an upsert. */
const CHANGE =
  /\b(?:UPDATE (bulk_jobs|sender_lanes)(?: (?!SET\b)\w+)?|INSERT INTO (bulk_jobs|sender_lanes)\b.*? DO UPDATE) SET /g;

/**
 * The statements in the modules' adapters that can change these columns, named after their file and their constant or method:
 * `lane-jobs.HOLD`.
 */
export function jobStatements(): string[] {
  const modules = join(__dirname, '../../src/modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.spec\.ts$|\/schema\//.test(file),
  );
  const named = files.flatMap((file) =>
    jobStatementsIn(readFileSync(join(modules, file), 'utf8')).map(
      (name) => `${basename(file).replace(/(\.sql)?\.ts$/, '')}.${name}`,
    ),
  );
  return named.sort();
}

/** The names of such statements in a source; a statement whose columns are put in at run time counts as well. */
export function jobStatementsIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, name: string): void => {
    const text = textOf(node);
    if (text !== null && changesEventColumns(text)) found.push(name);
    ts.forEachChild(node, (child) => visit(child, nameOf(node) ?? name));
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest), '');
  return found;
}

function nameOf(node: ts.Node): string | null {
  const isNamed = ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node) || isConstant(node);
  return isNamed ? (node.name as ts.Identifier).text : null;
}

function isConstant(node: ts.Node): node is ts.VariableDeclaration {
  return (
    ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === node.name.text.toUpperCase()
  );
}

/** The text of a literal on one line; `?` stands for what is put into a template. */
function textOf(node: ts.Node): string | null {
  const texts = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
    : ts.isStringLiteralLike(node)
      ? [node.text]
      : null;
  return texts?.join('?').replaceAll(/\s+/g, ' ').trim() ?? null;
}

function changesEventColumns(text: string): boolean {
  return [...text.matchAll(CHANGE)].some(({ 0: start, 1: updated, 2: inserted, index }) => {
    const columns = COLUMNS[(updated ?? inserted)!]!;
    return targetsOf(text.slice(index + start.length)).some((target) => target === '?' || columns.includes(target));
  });
}

/** The columns that the SET list at the beginning of a text assigns; `?`: those that are put in. */
function targetsOf(text: string): string[] {
  let list = text.replaceAll(/'[^']*'/g, '').replaceAll(/\(([\w, ]+)\) = /g, '$1 = ');
  while (/\([^()]*\)/.test(list)) list = list.replaceAll(/\([^()]*\)/g, '');
  return list
    .split(/ (?:WHERE|FROM|RETURNING) /)[0]!
    .split(',')
    .map((part) => part.split('=')[0]!.trim());
}
