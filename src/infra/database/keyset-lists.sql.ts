/**
 * Makes the rest of a transaction read lists in the order of an index and stop when it has enough rows. Without statistics,
 * which the embedded database never has, the planner takes the rows of one account for few, and reads and sorts them all.
 */
export const KEEP_INDEX_ORDER = `SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** A time as TimeCursor has it, with microseconds: a Date has none, and a list that continues by it must not repeat rows. */
export const cursorTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
