/**
 * Makes the rest of a transaction read lists in index order and stop at the limit. Without statistics, which the embedded database
 * never has, the planner underestimates the rows of an account, and reads and sorts all of them.
 */
export const KEEP_INDEX_ORDER = `SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Formats a time for TimeCursor, with microseconds: a Date lacks them, and the next page would repeat rows. */
export const cursorTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
