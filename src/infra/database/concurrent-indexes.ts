/** Builds an index without blocking writers; rebuilds the invalid index that an interrupted build leaves. */
export const buildIndex = (name: string, definition: string, kind = 'INDEX'): string[] => [
  dropIndex(name),
  `CREATE ${kind} CONCURRENTLY ${name} ON ${definition}`,
];
/** Drops an index without blocking writers. */
export const dropIndex = (name: string): string => `DROP INDEX CONCURRENTLY IF EXISTS ${name}`;
