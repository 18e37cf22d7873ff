/** About four round integers from 0 to at least `highest`, for the grid lines of a chart. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!,
  );
  const steps = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Evenly spaced indexes of `count` for axis labels, at most one per `room` pixels; the last, which is now, always has one. */
export function labelIndexes(count: number, width: number, room = 84): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0);
}
