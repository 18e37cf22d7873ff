import { matchingReplies, slashSearch } from './matching-replies';

describe('Quick replies', () => {
  const replies = [
    { id: '1', name: 'Address', text: 'We are at Marktplatz 3, open 9 to 6.' },
    { id: '2', name: 'Opening hours', text: 'Monday to Saturday, 9 to 6.' },
    { id: '3', name: 'Übergabe', text: 'Am Schalter' },
  ];
  const found = (typed: string) => matchingReplies(replies, typed).map(({ id }) => id);

  it('match by all typed words in name and text, first those with the words in their name', () => {
    expect(found('')).toEqual(['1', '2', '3']);
    expect(found('OPEN')).toEqual(['2', '1']);
    expect(found(' hours  saturday ')).toEqual(['2']);
    expect(found('über')).toEqual(['3']);
    expect(found('hours schalter')).toEqual([]);
  });

  it('are searched by a slash at the start of a reply of one line', () => {
    expect(slashSearch('/')).toBe('');
    expect(slashSearch('/open ho')).toBe('open ho');
    expect([slashSearch(''), slashSearch('24/7'), slashSearch(' /open'), slashSearch('/open\n')]).toEqual([
      ...[null, null, null, null],
    ]);
  });
});
