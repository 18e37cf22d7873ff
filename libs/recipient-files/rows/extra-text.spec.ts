import { problemOfExtra } from './extra-text';

describe(problemOfExtra, () => {
  it('accepts international addresses in every row of a long file', () => {
    const problems = new Set(
      Array.from({ length: 100_000 }, () =>
        problemOfExtra('headerMediaUrl', 'https://bücher.example/prospekt-für-märz.pdf'),
      ),
    );

    expect([...problems]).toEqual([undefined]);
  });
});
