import { scopesInclude } from './caller';

describe('scopesInclude', () => {
  it('grants only the scopes of the key', () => {
    expect(scopesInclude(['groups:read'], 'groups:read')).toBe(true);
    expect(scopesInclude(['groups:read'], 'groups:manage')).toBe(false);
    expect(scopesInclude([], 'messaging:send')).toBe(false);
  });

  it('includes read in manage of the same area', () => {
    expect(scopesInclude(['jobs:manage'], 'jobs:read')).toBe(true);
    expect(scopesInclude(['jobs:manage'], 'groups:read')).toBe(false);
  });

  it('includes reading jobs and templates in sending', () => {
    expect(scopesInclude(['messaging:send'], 'jobs:read')).toBe(true);
    expect(scopesInclude(['messaging:send'], 'templates:read')).toBe(true);
    expect(scopesInclude(['messaging:send'], 'messaging:read')).toBe(false);
  });
});
