import { BodyBudget } from './body-budget';

describe('Bodies that are read at once', () => {
  const given: string[] = [];
  const begin = (budget: BodyBudget, name: string, bytes: number) => {
    const body = budget.begin(() => given.push(name));
    body.add(bytes);
    return body;
  };

  beforeEach(() => given.splice(0));

  it('have so many bytes together, and the ones that began first give way to more', () => {
    const budget = new BodyBudget(100);
    begin(budget, 'first', 40);
    begin(budget, 'second', 40);
    const third = begin(budget, 'third', 20);
    expect(given).toEqual([]);
    third.add(1);
    expect(given).toEqual(['first']);
    third.add(79);
    expect(given).toEqual(['first', 'second']);
  });

  it('make room when they end, and count once', () => {
    const budget = new BodyBudget(100);
    const first = begin(budget, 'first', 60);
    begin(budget, 'second', 40);
    first.end();
    first.end();
    first.add(60);
    begin(budget, 'third', 60);
    expect(given).toEqual([]);
    begin(budget, 'fourth', 1);
    expect(given).toEqual(['second']);
  });

  it('give way themselves where nobody else is left, and not while they hold nothing', () => {
    const budget = new BodyBudget(100);
    begin(budget, 'announced', 0);
    begin(budget, 'large', 101);
    expect(given).toEqual(['large']);
  });
});
