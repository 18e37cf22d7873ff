import type { Service } from './service';

/** The current `/metrics`, by name with labels, as in `name{label="value"}`. */
export async function figuresOf(service: Pick<Service, 'url'>): Promise<Map<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
