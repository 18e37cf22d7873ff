/** The workers that are alive, and the lanes that they run together. */
export interface LaneCensus {
  workers: number;
  lanes: number;
}

/**
 * How many lanes a worker takes and keeps when `free` lanes wait for an owner beside those that run: as many as any other.
 * The only worker takes all.
 */
export function laneShare({ workers, lanes }: LaneCensus, free: number): number {
  return workers <= 1 ? Infinity : Math.ceil((lanes + free) / workers);
}
