import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './cruise';

const CONSOLE = join(ROOT, 'libs/console');
/** Tests, and the page on which developers see all components. */
const OTHERS = /\.spec\.ts$|node_modules|^screens\/components\//;
/** Attributes and properties that people read or hear. */
const SPOKEN =
  /^(title|label|lead|hint|placeholder|alt|heading|description|text|message|aria-(label|description|valuetext|roledescription))$/;
/** A sentence or a label: at least two words, the first with a capital letter. */
const PROSE = /^\p{Lu}[\p{Ll}’']* \p{L}/u;
const LETTERS = /\p{L}{2}/u;

/** A use of `t` or `rich`. */
export interface Use {
  /** As in the catalogues: with its context. */
  key: string;
  /** With values, so in ICU syntax. */
  isFormatted: boolean;
  where: string;
}

/** The modules of the console, without tests. */
export function consoleModules(): { file: string; text: string }[] {
  return readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !OTHERS.test(file))
    .map((file) => ({ file, text: readFileSync(join(CONSOLE, file), 'utf8') }));
}

/** The translated messages of a module, and its texts that are not translated. */
export function textsOf(file: string, text: string): { uses: Use[]; untranslated: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const uses: Use[] = [];
  const untranslated: string[] = [];
  const where = (node: ts.Node): string =>
    `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^(t|rich)$/.test(node.expression.text)) {
      const [message, values, context] = node.arguments;
      for (const one of literalsOf(message)) {
        const prefix = context && ts.isStringLiteralLike(context) ? `${context.text} | ` : '';
        const isFormatted =
          values !== undefined && !(ts.isObjectLiteralExpression(values) && values.properties.length === 0);
        uses.push({ key: prefix + one, isFormatted, where: where(node) });
      }
      if (values) visit(values);
      return;
    }
    const found = plainTextOf(node);
    if (found !== null) untranslated.push(`${where(node)}: ${found.trim().replace(/\s+/g, ' ')}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { uses, untranslated };
}

/** The literal messages an argument can be: of both branches of a condition, too. */
function literalsOf(node: ts.Expression | undefined): string[] {
  if (node && ts.isStringLiteralLike(node)) return [node.text];
  if (node && ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (node && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left] = literalsOf(node.left);
    const [right] = literalsOf(node.right);
    return left !== undefined && right !== undefined ? [left + right] : [];
  }
  return [];
}

function plainTextOf(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return LETTERS.test(node.text) ? node.text : null;
  if (ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
    return PROSE.test(parts.join('X')) ? parts.join('…') : null;
  }
  if (!ts.isStringLiteralLike(node) || ts.isLiteralTypeNode(node.parent)) return null;
  if (PROSE.test(node.text)) return node.text;
  const isSpoken =
    (ts.isJsxAttribute(node.parent) && SPOKEN.test(node.parent.name.getText())) ||
    (ts.isPropertyAssignment(node.parent) && /^(title|label|lead|hint|heading)$/.test(node.parent.name.getText())) ||
    ts.isJsxExpression(node.parent.parent ?? node.parent);
  return isSpoken && /^\p{Lu}\p{Ll}/u.test(node.text) ? node.text : null;
}
