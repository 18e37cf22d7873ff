import { insertPlaceholder, type Mark, type SelectedText, toggleMark } from './markup';

/** A text whose selection is between brackets, as in `Hi [Mira]`. */
function selectedIn(text: string): SelectedText {
  return { text: text.replace(/[[\]]/g, ''), start: text.indexOf('['), end: text.indexOf(']') - 1 };
}

function shown({ text, start, end }: SelectedText): string {
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
}

describe('A mark', () => {
  it.each<[string, Mark, string]>([
    ['Your [parcel] is here', '*', 'Your *[parcel]* is here'],
    ['Your *[parcel]* is here', '*', 'Your [parcel] is here'],
    ['Your *[parcel]* is here', '_', 'Your *_[parcel]_* is here'],
    ['Your [parcel ]is here', '~', 'Your ~[parcel]~ is here'],
    ['Your[ parcel] is here', '*', 'Your *[parcel]* is here'],
    ['Your [] is here', '*', 'Your *[]* is here'],
    ['Your[ ]parcel', '*', 'Your*[]* parcel'],
    ['[]', '_', '_[]_'],
  ])('in %s with %s gives %s', (text, mark, expected) => {
    expect(shown(toggleMark(selectedIn(text), mark))).toBe(expected);
  });
});

describe('A new placeholder', () => {
  it.each<[string, 'Positional' | 'Named', string]>([
    ['Hi []', 'Positional', 'Hi {{1}}[]'],
    ['Hi {{1}}, see [] and {{3}}', 'Positional', 'Hi {{1}}, see {{2}}[] and {{3}}'],
    ['Hi [Mira], {{2}}', 'Positional', 'Hi {{1}}[], {{2}}'],
    ['Hi [{{1}}]', 'Positional', 'Hi {{1}}[]'],
    ['Hi []', 'Named', 'Hi {{[variable_1]}}'],
    ['Hi {{variable_1}}, {{name}}: []', 'Named', 'Hi {{variable_1}}, {{name}}: {{[variable_2]}}'],
  ])('in %s with the format %s gives %s', (text, format, expected) => {
    expect(shown(insertPlaceholder(selectedIn(text), format))).toBe(expected);
  });
});
