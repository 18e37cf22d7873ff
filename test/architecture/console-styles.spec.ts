import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './cruise';

const CONSOLE = join(ROOT, 'libs/console');
const FILES = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(css|tsx)$/.test(file) && !file.includes('node_modules'))
  .map((file) => ({ file, text: readFileSync(join(CONSOLE, file), 'utf8') }));
const STYLES = FILES.filter(({ file }) => file.endsWith('.css'));

/** `right` and `left` stay where the lines of the text run from right to left; `inline-start` and `inline-end` turn with them. */
const PHYSICAL = [
  /^(left|right)$/,
  /^(margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)(-\w+)?$/,
  /^border-(top|bottom)-(left|right)-radius$/,
];
const SIDED = /^(margin|padding|inset|border-width|border-color|border-style|scroll-margin|scroll-padding)$/;
const DIRECTED = /^(text-align|float|clear|transform-origin|object-position|background-position|justify-content)$/;

interface Declaration {
  property: string;
  value: string;
  where: string;
}

function declarationsOf({ file, text }: { file: string; text: string }): Declaration[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, '');
  return [...code.matchAll(/(?<=[{;]\s*)(-{0,2}[a-z][\w-]*):\s*([^;{}]+)(?=[;}])/g)].map(
    ([whole, property, value]) => ({
      property: property!,
      value: value!.trim().replaceAll(/\s+/g, ' '),
      where: `${file}: ${whole}`,
    }),
  );
}

/** Whether the declaration means a physical left or right. */
function isPhysical({ property, value }: Declaration): boolean {
  if (PHYSICAL.some((pattern) => pattern.test(property))) return true;
  if (DIRECTED.test(property)) return /\b(left|right)\b/.test(value);
  const values = value.match(/(?:[^\s(]|\([^)]*(?:\([^)]*\)[^)]*)*\))+/g) ?? [];
  if (property === 'translate') return !/^(0|none)$/.test(values[0]!);
  if (property === 'transform') return /translate(X|3d)?\((?!0\b)/.test(value);
  return SIDED.test(property) && values.length === 4 && values[1] !== values[3];
}

const physicalIn = (text: string) => declarationsOf({ file: 'planted.css', text }).filter(isPhysical);

describe('The styles of the console', () => {
  const declarations = STYLES.flatMap(declarationsOf);

  it('turn with the direction of the text', () => {
    expect(declarations.length).toBeGreaterThan(500);
    expect(declarations.filter(isPhysical).map(({ where }) => where)).toEqual([]);
    const inScripts = FILES.filter(({ text }) => /style=\{\{[^}]*\b(left|right|\w+(Left|Right))\b/.test(text));
    expect(inScripts.map(({ file }) => file)).toEqual([]);
  });

  it.each([
    'left: 0',
    'margin-left: auto',
    'border-right-color: red',
    'border-top-left-radius: 2px',
    'padding: 4px 8px 4px 30px',
    'padding: 0 0 var(--space-4) calc(2 * (1px + 3px))',
    'text-align: right',
    'float: left',
    'translate: -50% 0',
    'transform: translateX(-50%)',
  ])('are physical with “%s”', (declaration) => {
    expect(physicalIn(`.a { ${declaration}; }`)).toHaveLength(1);
  });

  it.each([
    'inset-inline-end: 0',
    'padding: 4px 8px 2px 8px',
    'text-align: end',
    'translate: 0 -50%',
    'margin: 0 auto',
  ])('turn with “%s”', (declaration) => {
    expect(physicalIn(`.a { ${declaration}; }`)).toEqual([]);
  });

  it('have five sizes of text', () => {
    const sizes = declarations.filter(
      ({ property, value }) => property.startsWith('--text-') && /^[\d.]+(px|r?em)$/.test(value),
    );
    expect(sizes.map(({ property }) => property)).toEqual(
      ['xs', 'sm', 'md', 'lg', 'xl'].map((step) => `--text-${step}`),
    );
    const isStep = ({ property, value }: Declaration) =>
      /^var\(--text-(xs|sm|md|lg|xl)\)/.test(value) || (property === 'font' && value === 'inherit');
    const others = declarations.filter((one) => /^font(-size)?$/.test(one.property) && !isStep(one));
    expect(others.map(({ where }) => where)).toEqual([]);
    expect(FILES.filter(({ text }) => /\bfontSize\b|\bfont-size=/.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
