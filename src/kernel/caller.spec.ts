import { scopesInclude } from './caller';

describe('scopesInclude', () => {
  it('grants what a key carries and nothing else', () => {
    expect(scopesInclude(['groups:read'], 'groups:read')).toBe(true);
    expect(scopesInclude(['groups:read'], 'groups:manage')).toBe(false);
    expect(scopesInclude([], 'messaging:send')).toBe(false);
  });

  it('lets manage include read of the same area', () => {
    expect(scopesInclude(['jobs:manage'], 'jobs:read')).toBe(true);
    expect(scopesInclude(['jobs:manage'], 'groups:read')).toBe(false);
  });

  it('lets a sender read its jobs and the templates', () => {
    expect(scopesInclude(['messaging:send'], 'jobs:read')).toBe(true);
    expect(scopesInclude(['messaging:send'], 'templates:read')).toBe(true);
    expect(scopesInclude(['messaging:send'], 'messaging:read')).toBe(false);
  });
});
