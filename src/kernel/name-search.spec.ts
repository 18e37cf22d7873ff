import { foldText } from './folded-text';
import { NameSearch } from './name-search';

describe(NameSearch, () => {
  it.each([
    ['zoë müller', ['Müller, Zoë'], true],
    ['Müller, Zoë', ['Zoë Müller-Łukasz'], true],
    ['müller-łukasz, zoe', ['Zoë Müller-Łukasz'], true],
    ['lukasz zoe', ['Zoë Müller-Łukasz'], true],
    ['ben carter', ['Ben', 'carter_b'], true],
    ['ben carter', ['Ben Cart', null], false],
    ['oconnor', ['Sinéad O’Connor'], true],
    ['person 3', ['Person 3 of many'], true],
    ['person 3', ['Person 13'], false],
    ['person 3 of', ['Person 30 of many'], false],
    ['rson 3', ['Person 3'], true],
    [',', ['Zoë'], false],
    ['x', [null, null], false],
    ['mueller', ['Max Müller'], true],
    ['mueller', ['MU\u0308LLER'], true],
    ['muller', ['Max Müller'], true],
    ['muller', ['Max Mueller'], true],
    ['müller', ['Max Mueller'], true],
    ['müller', ['Max Muller'], true],
    ['strasse', ['Straße'], true],
    ['mueller jorg', ['Müller, Jörg'], false],
    ['mueller, joerg', ['Jörg Müller'], true],
    ['müller jörg', ['Joerg Mueller'], true],
    ['grossmuel', ['Aydın Großmüller'], true],
    ['noel', ['Arnold'], false],
    ['noel', ['Noël'], true],
    ['joe', ['Jörg'], false],
    ['michal', ['Michael'], true],
    ['mueller', ['Muller'], false],
  ])('%s, %j: %s', (text, names, expected) => {
    expect(new NameSearch(text).matches(names)).toBe(expected);
  });

  const FAMILY = ['Müller', 'Jörg', 'Bäcker', 'Bauer', 'Noel', 'Mueller', 'Joerg', 'Samuel', 'Schröder-Bähr', 'Öztürk'];
  const PEOPLE = FAMILY.flatMap((one) => FAMILY.map((other) => `${one} ${other}`));
  const WRITTEN: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => foldText(text),
    (text) => text.replace(/[äöüÖ]/g, (letter) => `${foldText(letter)}e`),
    (text) => text.normalize('NFD').toUpperCase(),
    (text) => text.split(' ').reverse().join(', '),
  ];

  it('finds a name as written, without accents, with two letters for an umlaut, in capitals and in another order', () => {
    for (const name of PEOPLE)
      for (const write of WRITTEN)
        expect([write(name), new NameSearch(write(name)).matches([name])]).toEqual([write(name), true]);
  });

  it('finds only names that have, without accents, all words of one way to write the text, and looks up at most sixteen', () => {
    for (const text of [...FAMILY, ...PEOPLE].flatMap((name) => WRITTEN.map((write) => write(name)))) {
      const search = new NameSearch(text);
      const ways = search.unaccented;
      expect(ways.length).toBeLessThanOrEqual(16);
      for (const name of [...FAMILY, ...PEOPLE].filter((one) => search.matches([one]))) {
        const isLookedUp = ways.some((words) => words.every((word) => foldText(name).includes(word)));
        expect([text, name, isLookedUp]).toEqual([text, name, true]);
      }
    }
  });

  it('looks up a long text, a short one and one with many umlauts as it is', () => {
    for (const text of ['joe', 'anna maria carolina aurora bartoli', 'goetz mueller aus koeln und baerbel oellers'])
      expect(new NameSearch(text).unaccented).toEqual([text.split(' ')]);
    expect(new NameSearch('mueller').unaccented).toEqual([['mueller'], ['muller']]);
  });
});
