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

/** Who makes a request: the key's account, its plan, the key's scopes, and from where. */
export interface Caller {
  accountId: string;
  keyId: string;
  keyPrefix: string;
  plan: string;
  scopes: readonly Scope[];
  /** Address of the client, where it is known. */
  address?: string | undefined;
}

/** Scopes that include another one, in addition to `x:manage` including `x:read`. */
const ALSO_GRANTED: Partial<Record<Scope, readonly Scope[]>> = { 'messaging:send': ['jobs:read', 'templates:read'] };

/** Whether a key with `granted` may do what `required` asks for. */
export function scopesInclude(granted: readonly Scope[], required: Scope): boolean {
  const manage = required.replace(/:read$/, ':manage');
  return granted.some((scope) => scope === required || scope === manage || ALSO_GRANTED[scope]?.includes(required));
}
