import { sampleOf } from './sample-values';

describe('A sample value', () => {
  const inText = (text: string) => {
    const [before = '', after = ''] = text.split('{{1}}');
    return sampleOf('1', before, after);
  };

  it('follows from the words beside the placeholder', () => {
    expect(inText('Hello {{1}}, your parcel is here.')).toBe('Mira');
    expect(inText('Liebe *{{1}}*!')).toBe('Mira');
    expect(inText('Your order {{1}} is here.')).toBe('A-1042');
    expect(inText('Parcel #{{1}}')).toBe('A-1042');
    expect(inText('Das kostet {{1}} € im Monat.')).toBe('49.90');
    expect(inText('We meet at {{1}} in Köln.')).toBe('09:30');
    expect(inText('It arrives on {{1}}.')).toMatch(/day$/);
  });

  it('is in the language of the template', () => {
    expect(sampleOf('1', 'Wir liefern am ', '.', 'de')).toMatch(/tag$|woch$/);
    expect(sampleOf('1', 'Das kostet ', ' €', 'de_AT')).toBe('49,90');
    expect(sampleOf('1', 'It arrives on ', '.', 'e n')).toMatch(/day$/);
  });

  it('follows from the name of the placeholder', () => {
    expect(sampleOf('first_name', '', '')).toBe('Mira');
    expect(sampleOf('order_number', 'Hello ', '')).toBe('A-1042');
    expect(sampleOf('table', 'Hello ', '')).toBe('table');
  });

  it('is numbered where no word tells what it is', () => {
    expect(inText('The chat {{1}} is closed.')).toBe('Sample 1');
  });
});
