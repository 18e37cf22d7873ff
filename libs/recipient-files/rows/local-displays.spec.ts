import { LocalDisplays } from './local-displays';

const warningsOf = (...texts: string[]): string[] => {
  const displays = new LocalDisplays();
  texts.forEach((text, index) => displays.add(index + 2, 'C', text));
  return displays.warnings();
};

describe('dates and numbers that depend on the language of the spreadsheet program', () => {
  it.each([
    '11/24/2026',
    '11/24/26',
    '11/24/2026 9:00',
    '1,234',
    '1,234.50',
    '9.99',
    '$1,234.50',
    '12.5%',
    '-9.99 €',
    '24 November 2026',
    '24-Nov-26',
    'May 2026',
  ])('%s has a warning', (text) => {
    expect(warningsOf(text)).toEqual([expect.stringContaining(`first row 2, which sends "${text}"`)]);
  });

  it.each(['7731', '24.11.2026', '2026-11-24', '09:00', '50%', '24. Dezember 2026', 'Mayor 7', ''])(
    '%p has none',
    (text) => {
      expect(warningsOf(text)).toEqual([]);
    },
  );

  it('are counted by column, with the first row', () => {
    expect(warningsOf('7731', '9.99', '8.50')).toEqual([expect.stringContaining('2 rows, first row 3')]);
  });
});
