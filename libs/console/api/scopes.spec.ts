import { withIncluded } from './scopes';

describe('Scopes', () => {
  it.each([
    [['messaging:manage'] as const, ['messaging:manage', 'messaging:read']],
    [['messaging:send'] as const, ['jobs:read', 'messaging:send', 'templates:read']],
    [
      ['jobs:manage', 'groups:manage', 'templates:manage'] as const,
      ['groups:manage', 'groups:read', 'jobs:manage', 'jobs:read', 'templates:manage', 'templates:read'],
    ],
    [['keys:manage'] as const, ['keys:manage']],
  ])('%j include %j', (scopes, expected) => {
    expect([...withIncluded(scopes)].sort()).toEqual(expected);
  });
});
