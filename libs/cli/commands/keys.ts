import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../client/generated/sdk.gen';
import type { ApiKeyDto, CreateApiKeyDto } from '../../client/generated/types.gen';
import { EXIT } from '../exit-codes';
import type { Column } from '../output';
import type { Session } from '../session';

const ALL = { query: { pageSize: 100 } };
/** Columns of a list of keys. */
export const KEY_COLUMNS: Column<ApiKeyDto>[] = [
  ['id', (key) => key.id],
  ['name', (key) => key.name],
  ['prefix', (key) => key.prefix],
  ['scopes', (key) => key.scopes.join(' ')],
  ['expires', (key) => key.expiresAt],
  ['last used', (key) => key.lastUsedAt],
];

/** Options of a new key. */
export interface KeyFlags {
  scope: string[];
  expires?: string;
}

/** `messaging keys list` */
export async function list(session: Session): Promise<number> {
  const client = await session.client();
  await session.out.firstOfList(client.each(listApiKeys, ALL, { signal: session.signal }), KEY_COLUMNS, 'No keys.');
  return EXIT.done;
}

/** `messaging keys create <name>`: the secret is shown once. */
export async function create(session: Session, name: string, flags: KeyFlags): Promise<number> {
  const issued = await (
    await session.client()
  ).call(createApiKey, { body: keyOf(name, flags) }, { signal: session.signal });
  session.out.result(issued, () => issued.key);
  return EXIT.done;
}

/** `messaging keys rotate <id>`: the new secret is shown once; the old one stays valid for `overlap` seconds. */
export async function rotate(session: Session, keyId: string, flags: { overlap: number }): Promise<number> {
  const input = { path: { keyId }, body: { overlapSeconds: flags.overlap } };
  const issued = await (await session.client()).call(rotateApiKey, input, { signal: session.signal });
  session.out.result(issued, () => issued.key);
  return EXIT.done;
}

/** `messaging keys revoke <id>` */
export async function revoke(session: Session, keyId: string): Promise<number> {
  if (!(await session.confirmed(`Revoke the key ${keyId}? Programs that use it stop working immediately.`)))
    return EXIT.refused;
  await (await session.client()).call(revokeApiKey, { path: { keyId } }, { signal: session.signal });
  session.out.note('Revoked.');
  return EXIT.done;
}

/** The body of a new key; the service validates the scopes. */
export function keyOf(name: string, { scope, expires }: KeyFlags): CreateApiKeyDto {
  return { name, scopes: scope as CreateApiKeyDto['scopes'], ...(expires && { expiresAt: expires }) };
}
