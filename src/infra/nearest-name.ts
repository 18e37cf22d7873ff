import leven from 'leven';

/** Longer names are slow to compare and unlikely to be typos. */
const MAX_LENGTH = 64;

/**
 * The name that was probably meant by `written`: the one with the fewest wrong letters, at most a third of them; undefined if none is
 * close. `lettersOf`: what is compared of a name.
 */
export function nearestOf(
  written: string,
  names: readonly string[],
  lettersOf: (name: string) => string = (name) => name,
): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const near = names
    .filter(({ length }) => length <= MAX_LENGTH)
    .map((name) => ({ name, wrong: leven(written, lettersOf(name)) }))
    .filter(({ name, wrong }) => wrong <= Math.floor(name.length / 3))
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.name;
}
