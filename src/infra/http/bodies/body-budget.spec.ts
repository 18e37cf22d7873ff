import { BodyBudget } from './body-budget';

describe('BodyBudget', () => {
  const evicted: string[] = [];
  const begin = (budget: BodyBudget, name: string, bytes: number) => {
    const body = budget.begin(() => evicted.push(name));
    body.add(bytes);
    return body;
  };

  beforeEach(() => evicted.splice(0));

  it('limits the bytes of all bodies, and evicts the oldest', () => {
    const budget = new BodyBudget(100);
    begin(budget, 'first', 40);
    begin(budget, 'second', 40);
    const third = begin(budget, 'third', 20);
    expect(evicted).toEqual([]);
    third.add(1);
    expect(evicted).toEqual(['first']);
    third.add(79);
    expect(evicted).toEqual(['first', 'second']);
  });

  it('releases the bytes of a body that has ended, once', () => {
    const budget = new BodyBudget(100);
    const first = begin(budget, 'first', 60);
    begin(budget, 'second', 40);
    first.end();
    first.end();
    first.add(60);
    begin(budget, 'third', 60);
    expect(evicted).toEqual([]);
    begin(budget, 'fourth', 1);
    expect(evicted).toEqual(['second']);
  });

  it('evicts the body itself if no other is left, and never one without bytes', () => {
    const budget = new BodyBudget(100);
    begin(budget, 'announced', 0);
    begin(budget, 'large', 101);
    expect(evicted).toEqual(['large']);
  });
});
