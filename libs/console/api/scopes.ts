import type { MeDto } from '../../client/generated/types.gen';

/** A permission of an API key. */
export type Scope = MeDto['scopes'][number];

/** Adds implied scopes: `x:manage` includes `x:read`; `messaging:send` includes `jobs:read` and `templates:read`. */
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
