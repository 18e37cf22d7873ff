import { MediaHosts } from './media-hosts';

describe('MediaHosts', () => {
  const hosts = new MediaHosts('https://graph.example.com/v1', ['lookaside.example.org', '*.cdn.example.org']);

  it.each([
    ['graph.example.com', true],
    ['lookaside.example.org', true],
    ['a.cdn.example.org', true],
    ['a.b.cdn.example.org', true],
    ['cdn.example.org', false],
    ['evilcdn.example.org', false],
    ['a.lookaside.example.org', false],
    ['example.com', false],
    ['127.0.0.1', false],
  ])('include %s: %s', (host, included) => {
    expect(hosts.includes(host)).toBe(included);
  });
});
