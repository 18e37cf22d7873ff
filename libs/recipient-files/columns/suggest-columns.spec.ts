import { EXPORT_HEADER_ROWS } from './fixtures/export-header-rows';
import { LIST_HEADER_ROWS } from './fixtures/list-header-rows';
import { type HeaderRow, SHORT_HEADER_ROWS } from './fixtures/short-header-rows';
import { type ColumnsWanted, suggestColumns } from './suggest-columns';

const WANTED: ColumnsWanted = { header: 'auto', values: [], media: false };

const CORPUS: HeaderRow[] = [...SHORT_HEADER_ROWS, ...LIST_HEADER_ROWS, ...EXPORT_HEADER_ROWS];

const guessOf = (rows: string[][], wanted: Partial<ColumnsWanted> = {}) =>
  suggestColumns(rows, { ...WANTED, ...wanted });

describe('the phone column of real header rows', () => {
  const guessesIn = (defaultCountry?: string) =>
    CORPUS.map(([line, column, example]) => {
      const headers = line.split('|');
      const rows = example === undefined ? [headers] : [headers, example.split('|')];
      return { line, right: column === null ? null : headers[column], ...guessOf(rows, { defaultCountry }).phone };
    });

  it('is never wrong with high confidence', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    const sure = [undefined, 'DE', 'US', 'IN'].flatMap(guessesIn).filter(({ confidence }) => confidence === 'high');
    expect(sure.filter(({ source, right }) => source !== right)).toEqual([]);
  });

  it('is right in at least 80 %, and mostly with high confidence', () => {
    const findable = guessesIn().filter(({ right }) => right !== null);
    const right = findable.filter((guess) => guess.source === guess.right);
    expect(right.length / findable.length).toBeGreaterThanOrEqual(0.8);
    expect(right.filter(({ confidence }) => confidence === 'high').length / findable.length).toBeGreaterThan(0.75);
  });

  it('has an example for each cell of the header', () => {
    const widths = CORPUS.map(([line, , example = line]) => [line, example].map((row) => row.split('|').length));
    expect(widths.filter(([header, example]) => header !== example)).toEqual([]);
  });
});

describe('the phone column', () => {
  const sure = (source: string) => ({ source, confidence: 'high' });
  const unsure = (source: string) => ({ source, confidence: 'low' });

  it('is unsure if several headers say so', () => {
    expect(guessOf([['Name', 'Telefon 1', 'Telefon 2']]).phone).toEqual(unsure('Telefon 1'));
    expect(guessOf([['Mobile', 'WhatsApp']]).phone).toEqual(unsure('Mobile'));
    expect(guessOf([['Home phone', 'Name']]).phone).toEqual(unsure('Home phone'));
  });

  it('is not one whose cells are something else, or mostly blank', () => {
    expect(
      guessOf([
        ['Mobile', 'Telefon'],
        ['yes', '+49 151 12345678'],
      ]).phone,
    ).toEqual(sure('Telefon'));
    expect(
      guessOf([
        ['Handy', 'Name'],
        ['+49 151 12345678', 'A'],
        ['12', 'B'],
      ]).phone,
    ).toEqual(sure('Handy'));
    expect(
      guessOf([
        ['Handy', 'Name'],
        ['yes', 'A'],
      ]).phone,
    ).toEqual(unsure('Handy'));
    const sparse = [
      ['Handy', 'Name'],
      ['+49 151 12345678', 'A'],
      ['', 'B'],
      ['', 'C'],
    ];
    expect(guessOf(sparse).phone).toEqual(unsure('Handy'));
  });

  it('is found by content where headers say nothing', () => {
    const rows = [
      ['Anna', '+49 151 12345678'],
      ['Ben', '0049 151 12345679'],
    ];
    expect(guessOf(rows).phone).toEqual(sure('B'));
    expect(guessOf([['who', 'where'], ...rows]).phone).toEqual(unsure('where'));
    expect(
      guessOf([
        ['who', 'Contact no.'],
        ['Anna', '919876543210'],
      ]).phone,
    ).toEqual(sure('Contact no.'));
  });

  it('is unsure among numbers that may be something else', () => {
    expect(guessOf([['Anna', '+4915112345678', '0151 1234567']]).phone).toEqual(unsure('B'));
    expect(guessOf([['Anna', '4915112345678', '4711000012']]).phone.confidence).toBe('low');
    expect(guessOf([['4711000012', 'Anna']]).phone.confidence).toBe('low');
    expect(guessOf([['Anna', 'Berlin']]).phone).toEqual({ source: null, confidence: 'none' });
  });

  it('is named by its letter if its header is blank or occurs twice', () => {
    expect(
      guessOf([
        ['Mobil', 'Mobil'],
        ['+4915112345678', ''],
      ]).phone.source,
    ).toBe('A');
  });

  it('may hold national numbers', () => {
    const rows = [
      ['wer', 'Kontakt Nr'],
      ['Anna', '0151 12345678'],
    ];
    expect(guessOf(rows, { defaultCountry: 'DE' }).phone).toEqual(sure('Kontakt Nr'));
    expect(guessOf([['Handy'], ['0151/12345678']]).phone).toEqual(sure('Handy'));
  });
});

describe('the columns of values', () => {
  const value = (name: string | null, title = name ?? '') => ({ name, title });
  const valuesOf = (header: string, values: ColumnsWanted['values']) =>
    guessOf([header.split('|')], { values }).values.map(({ source, confidence }) => `${source} ${confidence}`);

  it('are sure if a header is the name of the placeholder', () => {
    const values = [value('first_name'), value('orderId')];
    expect(valuesOf('Phone|Order ID|Firstname|First Name', values)).toEqual(['Firstname low', 'Order ID high']);
    expect(valuesOf('Phone|order-id|First Name|City', values)).toEqual(['First Name high', 'order-id high']);
  });

  it('are unsure if a header only means the same', () => {
    expect(valuesOf('Handy|Vorname|PLZ', [value('first_name')])).toEqual(['Vorname low']);
  });

  it('of numbered placeholders are sure only by title or number', () => {
    const values = [value(null, 'value 1 (body {{1}})'), value(null, 'value 2 (link ending)')];
    expect(valuesOf('Phone|value 1 (body {{1}})|{{2}}|x', values)).toEqual(['value 1 (body {{1}}) high', '{{2}} high']);
    expect(valuesOf('Vorname|Phone|Bestellung', values)).toEqual(['Vorname low', 'Bestellung low']);
    expect(valuesOf('Phone|Vorname|Bestellung|Ort', values)).toEqual(['null none', 'null none']);
  });

  it('may be followed by media and a reference', () => {
    const rows = [
      ['Phone', 'Reference', 'Invoice'],
      ['+4915112345678', 'K-1', 'https://files.example.com/1.pdf'],
    ];
    expect(guessOf(rows, { media: true })).toEqual({
      phone: { source: 'Phone', confidence: 'high' },
      values: [],
      headerMediaUrl: { source: 'Invoice', confidence: 'low' },
      reference: { source: 'Reference', confidence: 'low' },
    });
  });
});

describe('the column of names', () => {
  it.each([
    ['Handy|Name|Ort', 'Name', 'high'],
    ['Telefon|Kundenname', 'Kundenname', 'high'],
    ['Handy|Vorname|Name', 'Name', 'low'],
    ['Handy|Vorname|Nachname', null, 'none'],
    ['Handy|Name|Full name', null, 'none'],
  ])('of %s is %s, with confidence %s', (line, source, confidence) => {
    expect(guessOf([line.split('|')], { names: true }).name).toEqual({ source, confidence });
  });

  it('is suggested only where it is wanted', () => {
    expect(guessOf([['Handy', 'Name']])).not.toHaveProperty('name');
  });
});
