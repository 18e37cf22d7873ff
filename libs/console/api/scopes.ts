import type { MeDto } from '../../client/generated/types.gen';

/** What a key may do. */
export type Scope = MeDto['scopes'][number];

/** The scopes with all those that they include: `x:manage` includes `x:read`, and who sends sees jobs and templates. */
export function withIncluded(scopes: readonly Scope[]): ReadonlySet<Scope> {
  const all = new Set<Scope>(scopes);
  for (const scope of scopes) {
    if (scope === 'messaging:manage') all.add('messaging:read');
    if (scope === 'templates:manage') all.add('templates:read');
    if (scope === 'jobs:manage') all.add('jobs:read');
    if (scope === 'groups:manage') all.add('groups:read');
    if (scope === 'messaging:send') all.add('jobs:read').add('templates:read');
  }
  return all;
}
