import { parseJsonb } from './jsonb';

describe('The text of a jsonb', () => {
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
  it.each(texts)('%s is what JSON says', (text) => {
    expect(parseJsonb(text)).toEqual(JSON.parse(text));
  });

  it('with something else than JSON is an error', () => {
    expect(() => parseJsonb('["a", b]')).toThrow(SyntaxError);
  });
});
