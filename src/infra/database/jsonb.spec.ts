import { parseJsonb } from './jsonb';

describe('parseJsonb', () => {
  const texts = [
    '[]',
    '[""]',
    '["", ""]',
    '["Anna", "12"]',
    '["a,b", "c\\", \\"d"]',
    '["\\u0000", "\\\\"]',
    '["a", null, "b"]',
    '["a", 1, "b"]',
    '["a", ["b"], "c"]',
    '["a", {"k": "v"}, "b"]',
    '["a", {"k": "v", "w": "x"}, "b"]',
    '[["a", "b"], ["c", "d"]]',
    '["שלום", "🎉"]',
    '{"a": "b"}',
    '"a"',
    '"[\\"a\\"]"',
    'null',
    '12',
  ];
  it.each(texts)('parses %s like JSON.parse', (text) => {
    expect(parseJsonb(text)).toEqual(JSON.parse(text));
  });

  it('rejects text that is not JSON', () => {
    expect(() => parseJsonb('["a", b]')).toThrow(SyntaxError);
  });
});
