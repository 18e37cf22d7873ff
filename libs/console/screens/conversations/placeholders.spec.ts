import { placeholderIn, withName } from './placeholders';

describe('A quick reply', () => {
  it('has the name of the person in place of {{name}}, as it is', () => {
    expect(withName('Hello {{name}}, {{ Name }}!', '$& Aydın')).toBe('Hello $& Aydın, $& Aydın!');
    expect(withName('Hello {{first_name}}!', 'Ada King Lovelace')).toBe('Hello Ada!');
    for (const unnamed of [null, '+49 151']) expect(withName('Hello {{name}}!', unnamed)).toBe('Hello {{name}}!');
  });

  it('has a placeholder that is not filled in, and not any other braces', () => {
    const left = (text: string) => {
      const at = placeholderIn(text);
      return at && text.slice(...at);
    };
    expect(left('Hello {{ name }}, {{order}}')).toBe('{{ name }}');
    expect(left('Grüße, {{straße_2}}')).toBe('{{straße_2}}');
    expect(['{name}', '{{}}', '{{a b}}', '{{a}'].map(left)).toEqual([null, null, null, null]);
  });
});
