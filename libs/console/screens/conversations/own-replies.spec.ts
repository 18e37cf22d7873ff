import { rememberReply, takeFailed, watchesUnlisted } from './own-replies';

describe('A reply of this tab', () => {
  const at = '2026-11-28T10:00:00.000Z';
  const failed = (id: string, lastMessageAt = at) => ({ id, lastFailure: 'Undelivered' as const, lastMessageAt });

  it('is reported once when it fails, not while or after its conversation showed that', () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) rememberReply(id, { createdAt: at });
    const earlier = failed('c', '2026-11-28T09:00:00.000Z');
    const delivered = { ...failed('d'), lastFailure: undefined };
    const ofColleague = failed('d', '2026-11-28T10:04:00.000Z');
    const listed = [failed('a'), failed('a'), failed('b'), earlier, delivered, ofColleague, failed('not watched')];
    const taken = (some: typeof listed, openedId: string, now = 0) =>
      takeFailed(some, openedId, now).map(({ id }) => id);
    expect(taken(listed, 'b')).toEqual(['a']);
    expect(taken(listed, '', 1999)).toEqual(['b']);
    expect(taken([failed('c'), failed('d')], '')).toEqual(['c', 'd']);
    expect(taken([failed('e')], 'e')).toEqual([]);
    expect(taken([failed('e')], '', 2000)).toEqual([]);
  });

  it('is watched for ten minutes, unless its conversation is listed', () => {
    rememberReply('a', { createdAt: at });
    const watches = (minutes: number, ...listed: { id: string }[]) =>
      watchesUnlisted(listed, Date.parse(at) + minutes * 60_000);
    expect([watches(9), watches(9, { id: 'a' }), watches(9, { id: 'b' })]).toEqual([true, false, true]);
    expect(watches(11)).toBe(false);
    expect(takeFailed([failed('a')], '', 0)).toEqual([]);
  });
});
