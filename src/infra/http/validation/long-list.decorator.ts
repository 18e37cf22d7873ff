import 'reflect-metadata';

const LONG_LIST = 'long-list';

/**
 * The list may be so long that it is validated in parts, between which other requests are served. Its rules apply to each part, so
 * only the limits of the body limit its length.
 */
export const LongList = (): PropertyDecorator => (prototype, field) =>
  Reflect.defineMetadata(LONG_LIST, field, prototype.constructor);

/** The long list of a body and its field; null: the body has none. */
export function longListOf(body: object, metatype: object | undefined): { field: string; list: unknown[] } | null {
  const field = metatype && (Reflect.getMetadata(LONG_LIST, metatype) as string | undefined);
  if (field === undefined) return null;
  const list = (body as Record<string, unknown>)[field];
  return Array.isArray(list) ? { field, list } : null;
}
