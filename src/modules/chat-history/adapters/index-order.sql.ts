/**
 * Has the rest of a transaction read lists in the order of an index, and stop when it has enough. Without statistics, which
 * the embedded database never has, everything of one account would seem to be few rows, to be read whole and sorted.
 */
export const KEEP_INDEX_ORDER = `SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
