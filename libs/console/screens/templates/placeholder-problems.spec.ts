import { placeholderProblems } from './placeholder-problems';

describe('The problems of the placeholders of a body', () => {
  const problems = (bodyText: string, parameterFormat: 'Positional' | 'Named' = 'Positional') =>
    placeholderProblems({ bodyText, parameterFormat });

  it('are all named at once', () => {
    expect(problems('{{1}} hello {{3}} and {{vorname}}')).toEqual([
      '{{vorname}} is not a number: number all placeholders, or choose names as the variable format.',
      '{{2}} is missing: number the placeholders without a gap.',
      'Put words before and after the placeholders.',
    ]);
    expect(problems('Dear {{name}}{{1}}, {{name}}.', 'Named')).toEqual([
      expect.stringMatching(/^\{\{1\}\} is not a name/),
      'Each named placeholder may occur only once.',
      'Put words between the placeholders.',
    ]);
  });

  it('are none of a correct one', () => {
    expect(problems('Hello {{1}}, {{2}} and {{1}}.')).toEqual([]);
    expect(problems('Hello {{name}}.', 'Named')).toEqual([]);
  });

  it('do not list a large gap', () => {
    expect(problems('Hello {{99999}}.')).toEqual(['Number the placeholders {{1}}, {{2}}, … without a gap.']);
  });
});
