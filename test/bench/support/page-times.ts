import type { MeasuredService } from './measured-service';

/** The path of a call, by the number of the call. */
export type PathOf = (call: number) => string;

/** The time of one page in ms; throws unless it is a 200 with items, or with a further page: a filter searches a part of the list at a time. */
export async function pageTime(api: MeasuredService, path: string): Promise<number> {
  const begun = performance.now();
  const { status, body } = await api.client.get(path);
  const time = performance.now() - begun;
  if (status !== 200 || (body.items?.length === 0 && !body.nextCursor)) {
    throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
  }
  return time;
}

/** The times of calls one after the other, in ms. */
export async function pageTimes(api: MeasuredService, pathOf: PathOf, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) times.push(await pageTime(api, pathOf(call)));
  return times;
}

/** The value that the given share of the times does not exceed. */
export function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)]!;
}
