import { SendableTemplate } from '../../templates/domain/sendable-template';
import { ParameterMismatchError } from '../../templates/domain/templates.errors';
import { fileColumnsOf, guessedColumns, orderedColumns } from './file-columns';

const URL_BUTTON = { type: 'Url' as const, text: 'Track', url: 'https://x.test/{{1}}', phoneNumber: null };

function template(parameterFormat: 'Named' | 'Positional', bodyText: string): SendableTemplate {
  return new SendableTemplate({
    ...{ revisionId: 'r1', name: 'order', languageCode: 'en_US', category: 'Utility' },
    components: {
      ...{ parameterFormat, headerFormat: 'None', headerText: null, bodyText, footerText: null },
      ...{ buttons: [URL_BUTTON], offer: null, cards: [], unsupported: [] },
    },
  });
}

const NAMED = template('Named', 'Hi {{first_name}}, {{order}} is here.');
const NUMBERED = template('Positional', 'Hi {{1}}, {{2}} is here.');

describe('The columns of values', () => {
  it('are a list, or an object by placeholder name, or by number where a value has no name', () => {
    const phone = 'Handy';
    expect(orderedColumns({ phone, values: ['a', 'b', 'c'] }, NAMED).values).toEqual(['a', 'b', 'c']);
    const named = { '3': 'c', order: 'b', first_name: 'a' };
    expect(orderedColumns({ phone, reference: 'r', values: named }, NAMED)).toEqual({
      ...{ phone, reference: 'r' },
      values: ['a', 'b', 'c'],
    });
    const inherited = template('Named', 'Hi {{constructor}}, {{__proto__}} is here.');
    const byAnyName = JSON.parse('{"constructor":"a","__proto__":"b","3":"c"}') as Record<string, string>;
    expect(orderedColumns({ phone, values: byAnyName }, inherited).values).toEqual(['a', 'b', 'c']);
    expect(() => orderedColumns({ phone, values: { '3': 'c' } }, inherited)).toThrow('"constructor", "__proto__"');
    expect(orderedColumns({ phone, values: { '2': 'b', '1': 'a', '3': 'c' } }, NUMBERED).values).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('must be as many as the template has values', () => {
    const columns = (values: string[] | Record<string, string>) => () => orderedColumns({ phone: 'A', values }, NAMED);
    expect(columns(['a', 'b'])).toThrow(ParameterMismatchError);
    expect(columns({ first_name: 'a', ordre: 'b', '3': 'c' })).toThrow(
      'columns.values has no column for "order". The template has no value "ordre".',
    );
    expect(columns({ first_name: 'a', order: 'b', '3': 'c', x: 'd' })).toThrow(ParameterMismatchError);
  });
});

describe('The list of columns', () => {
  it('shows the use of each', () => {
    const resolved = { phone: 2, values: [0, 0, 4], extras: [{ field: 'reference', column: 4 }] };
    expect(fileColumnsOf(['Name', 'City', 'Handy'], 6, NAMED, resolved)).toEqual([
      { column: 'A', header: 'Name', use: 'first_name, order' },
      { column: 'B', header: 'City', use: null },
      { column: 'C', header: 'Handy', use: 'phone' },
      { column: 'D', header: null, use: null },
      { column: 'E', header: null, use: 'value 3 (link ending), reference' },
    ]);
    const headerless = fileColumnsOf([], 6, NAMED, resolved);
    expect(headerless.map(({ column, use }) => use === null && column)).toEqual([false, 'B', false, 'D', false, 'F']);
  });
});

describe('Suggested columns', () => {
  const found = { source: 'A', confidence: 'low' } as const;
  const none = { source: null, confidence: 'none' } as const;

  it('are the guess by which a file is read', () => {
    expect(guessedColumns({ phone: found, values: [found, found, found], reference: found }, NAMED)).toEqual({
      sources: { phone: 'A', values: ['A', 'A', 'A'], reference: 'A' },
      ...{ gaps: [], warning: null },
    });
  });

  it('name what they lack', () => {
    expect(guessedColumns({ phone: found, values: [none, found, none] }, NAMED)).toEqual({
      sources: { phone: 'A', values: ['A'] },
      gaps: [0, 2],
      warning:
        'The guess is incomplete: no column was found for "first_name", "value 3 (link ending)". Name all columns in `columns`.',
    });
    const { sources, warning } = guessedColumns({ phone: none, values: [found, found, found] }, NAMED);
    expect(sources.phone).toBe('A');
    expect(warning).toContain('for "phone". The first column was read as the phone.');
  });
});
