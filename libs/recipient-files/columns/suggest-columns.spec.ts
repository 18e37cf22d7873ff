import { EXPORT_HEADER_ROWS } from './fixtures/export-header-rows';
import { EXTRAS_HEADER_ROWS, type ExtrasField } from './fixtures/extras-header-rows';
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

describe('the columns of extras', () => {
  const EXTRAS = { fileName: true, flow: true, userIds: true, quickReplies: [{ index: 0, label: 'Yes' }] };
  const guessesIn = (rows: string[][], wanted: Partial<ColumnsWanted> = EXTRAS) => {
    const { userId, headerMediaFileName: fileName, quickReplyPayloads, flowToken } = guessOf(rows, wanted);
    const all = { userId, fileName, payload: quickReplyPayloads?.['0'], flowToken };
    return Object.entries(all).flatMap(([field, guess]) => (guess ? [{ field: field as ExtrasField, ...guess }] : []));
  };
  const inCorpus = EXTRAS_HEADER_ROWS.map(([line, example, columns]) => {
    const headers = line.split('|');
    const found = guessesIn([headers, example.split('|')]);
    return { line, headers, columns, found };
  });

  it('of real header rows are never wrong', () => {
    const wrong = inCorpus.flatMap(({ line, headers, columns, found }) =>
      found
        .filter(({ field, source }) => headers.indexOf(source ?? '') !== columns[field])
        .map((guess) => ({ line, guess })),
    );
    expect(wrong).toEqual([]);
  });

  it('are found in most of them', () => {
    const expected = inCorpus.flatMap(({ columns }) => Object.keys(columns));
    const found = inCorpus.flatMap((row) => row.found);
    expect(found.length / expected.length).toBeGreaterThanOrEqual(0.9);
  });

  it('are not seen in lists without them', () => {
    const found = CORPUS.flatMap(([line, , example]) =>
      guessesIn(example === undefined ? [line.split('|')] : [line.split('|'), example.split('|')]),
    );
    expect(found).toEqual([]);
  });

  it('are sure only if header and contents say so', () => {
    const confidences = (line: string, example: string) =>
      guessesIn([line.split('|'), example.split('|')]).map(({ field, confidence }) => `${field} ${confidence}`);
    const userId = 'DE.13491208655302741918';
    expect(confidences('Phone|User ID', `+491701234567|${userId}`)).toEqual(['userId high']);
    expect(confidences('Phone|Id', `+491701234567|${userId}`)).toEqual(['userId low']);
    expect(confidences('Phone|User ID', '+491701234567|')).toEqual(['userId low']);
    expect(confidences('Phone|User ID|Parent', `+491701234567|${userId}|${userId}`)).toEqual([]);
    expect(confidences('Phone|File name', '+491701234567|a.pdf')).toEqual(['fileName low']);
    expect(confidences('Phone|Payload', '+491701234567|a')).toEqual(['payload low']);
    expect(confidences('Phone|Flow token', '+491701234567|a')).toEqual(['flowToken high']);
  });

  it('are found only for templates that have them, each for its own button', () => {
    const rows = [
      'Phone|User ID|File name|Payload No|Flow token|x',
      '+491701234567|DE.13491208655302741918|a.pdf|n|t|y',
    ];
    const split = rows.map((row) => row.split('|'));
    expect(guessesIn(split, {})).toEqual([]);
    const quickReplies = ['Yes', 'No'].map((label, index) => ({ index: index + 1, label }));
    expect(guessOf(split, { quickReplies }).quickReplyPayloads).toEqual({
      2: { source: 'Payload No', confidence: 'low' },
    });
    expect(guessOf([['Phone', 'Payload']], { quickReplies })).not.toHaveProperty('quickReplyPayloads');
    // What is left is a column for the only value.
    const wanted = { ...EXTRAS, quickReplies, values: [{ title: 'value 1', name: null }] };
    expect(guessOf(split, wanted).values).toEqual([{ source: 'x', confidence: 'low' }]);
  });
});
