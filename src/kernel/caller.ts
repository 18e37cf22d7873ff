/** All scopes, in the order of the documentation. */
export const SCOPES = [
  'messaging:send',
  'messaging:read',
  'messaging:manage',
  'templates:read',
  'templates:manage',
  'jobs:read',
  'jobs:manage',
  'groups:read',
  'groups:manage',
  'webhooks:manage',
  'keys:manage',
  'accounts:manage',
] as const;

/** One permission, `<area>:<verb>`. */
export type Scope = (typeof SCOPES)[number];

/** The caller of a request: account, plan, key, scopes and address. */
export interface Caller {
  accountId: string;
  keyId: string;
  keyPrefix: string;
  plan: string;
  scopes: readonly Scope[];
  /** Address of the client, if known. */
  address?: string | undefined;
}

/** Scopes that include another one, in addition to `x:manage` including `x:read`. */
const ALSO_GRANTED: Partial<Record<Scope, readonly Scope[]>> = { 'messaging:send': ['jobs:read', 'templates:read'] };

/** Whether a key with the `granted` scopes satisfies the `required` one. */
export function scopesInclude(granted: readonly Scope[], required: Scope): boolean {
  const manage = required.replace(/:read$/, ':manage');
  return granted.some((scope) => scope === required || scope === manage || ALSO_GRANTED[scope]?.includes(required));
}
