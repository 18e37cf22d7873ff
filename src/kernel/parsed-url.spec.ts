import { parsedUrl } from './parsed-url';

describe(parsedUrl, () => {
  it('reads international addresses the same way however often it is called', () => {
    const hosts = new Set(Array.from({ length: 100_000 }, () => parsedUrl('https://bücher.example/ü')?.host));

    expect([...hosts]).toEqual(['xn--bcher-kva.example']);
  });

  it.each(['', 'example.com', 'https://', 'https://a b/'])('returns null for "%s"', (text) => {
    expect(parsedUrl(text)).toBeNull();
  });
});
