/** Round values from 0 to at least `highest`, some four of them, for the lines of a chart; whole numbers where counts are small. */
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

/** About one of `count` indexes for each `room` pixels, evenly: where the words of the lower axis stand. */
export function labelled(count: number, width: number, room = 84): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0);
}
