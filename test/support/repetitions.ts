/** How often a random test repeats: before a change lands within a bound of time, and more often if NIGHTLY is set. */
export function repetitions(landing: number, nightly: number): number {
  return process.env.NIGHTLY ? nightly : landing;
}
