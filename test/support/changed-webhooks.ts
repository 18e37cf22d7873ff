import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

const FIXTURES = join(__dirname, '../../src/modules/platform-webhook/fixtures');

const BODIES = readdirSync(FIXTURES)
  .filter((file) => /^(1[4-9]|2[0-6])-/.test(file))
  .flatMap((file) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as object | object[]);

/** Replacement values for mutations. */
const replacements = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, -1, 1e300, 2 ** 53 + 2, '', '\u0000', '\ud800', 'x'.repeat(70_000), [], {}, [[]], [null]],
    ...['__proto__', 'constructor', { toString: 7 }, { body: { body: {} } }, 'NaN', '1e999'],
  ),
  fc.jsonValue(),
);

/** Changes one place of a body: each number in `path` picks a field. */
function mutated(
  value: unknown,
  path: readonly number[],
  replacement: unknown,
  way: 'replace' | 'remove' | 'wrap',
): unknown {
  if (typeof value !== 'object' || value === null || path.length === 0)
    return way === 'wrap' ? [replacement, value] : replacement;
  const keys = Object.keys(value);
  const key = keys[path[0]! % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const copy = structuredClone(value) as Record<string, unknown>;
  if (way === 'remove' && path.length === 1) delete copy[key];
  else copy[key] = mutated(copy[key], path.slice(1), replacement, way);
  return copy;
}

const mutations = fc.array(
  fc.record({
    path: fc.array(fc.nat(20), { maxLength: 9 }),
    replacement: replacements,
    way: fc.constantFrom('replace' as const, 'remove' as const, 'wrap' as const),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Recorded platform bodies, randomly mutated in up to four places. */
export const changedWebhooks: fc.Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(...BODIES), mutations)
  .map(([body, changes]) =>
    changes.reduce<unknown>((value, { path, replacement, way }) => mutated(value, path, replacement, way), body),
  );
