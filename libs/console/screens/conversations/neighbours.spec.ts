import { neighboursOf } from './neighbours';

describe('The neighbours of a conversation', () => {
  const list = (ids: string) => [...ids].map((id) => ({ id }));
  const of = (shown: string, order: string, id: string) => {
    const { next, previous, afterDone } = neighboursOf(list(shown), list(order), id);
    return [previous, next, afterDone];
  };

  it('are the ones above and below it; the one below follows it, else the one above', () => {
    expect(of('abc', 'abc', 'a')).toEqual([undefined, 'b', 'b']);
    expect(of('abc', 'abc', 'b')).toEqual(['a', 'c', 'c']);
    expect(of('abc', 'abc', 'c')).toEqual(['b', undefined, 'b']);
  });

  it('remain those of its last place after it has left the list', () => {
    expect(of('ac', 'abc', 'b')).toEqual(['a', 'c', 'c']);
    expect(of('xad', 'abcd', 'b')).toEqual(['a', 'd', 'd']);
  });

  it('remain those of its place when it was opened after it has moved to the top', () => {
    expect(of('bacd', 'abcd', 'b')).toEqual(['a', 'c', 'c']);
    expect(of('cab', 'abc', 'c')).toEqual(['b', undefined, 'b']);
    expect(of('bacde', 'abc', 'c')).toEqual(['b', 'd', 'd']);
    expect(of('cabde', 'abc', 'c')).toEqual(['b', 'd', 'd']);
  });

  it('are none after the last one, and only the first of the list for one that was never in it', () => {
    expect(of('a', 'a', 'a')).toEqual([undefined, undefined, '']);
    expect(of('', 'a', 'a')).toEqual([undefined, undefined, '']);
    expect(of('xy', 'a', 'a')).toEqual([undefined, undefined, undefined]);
    expect(of('xy', 'xy', 'a')).toEqual([undefined, 'x', undefined]);
    expect(of('', '', '')).toEqual([undefined, undefined, undefined]);
  });
});
