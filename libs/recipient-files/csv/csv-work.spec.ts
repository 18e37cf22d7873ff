import { readBytes } from '../fixtures/read-bytes';

const BYTES = 1_500_000;
/** Outside Jest, which slows down some of the reader's code, a byte takes at most half the time of a byte of the list. */
const MOST_TIMES = 2;
const PLAIN = '4915112345678,Mira,Berlin\n';
const HOSTILE: [string, string][] = [
  ['quoted empty cells', `${'"",'.repeat(100)}\n`],
  ['quoted empty lines', '""\n'],
  ['quotes alone', '"'],
  ['lines of quotes', `${'"'.repeat(30_000)}\n`],
  ['quotes inside cells', 'a"b,'],
  ['lines of blanks', `${' '.repeat(8_000)}x\n`],
  ['commas', `${','.repeat(199)}\n`],
];

/** Seconds of processor time until a file of this text, repeated, is read or refused. */
async function work(text: string): Promise<number> {
  const bytes = Buffer.alloc(BYTES, text);
  const before = process.cpuUsage();
  await readBytes(bytes).catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

describe('A csv file made to be slow', () => {
  let plain: number;

  beforeAll(async () => {
    // Compiles the reader.
    await work(PLAIN);
    plain = await work(PLAIN);
  });

  it.each(HOSTILE)('takes at most twice the processor time of a list of people of its size: %s', async (_, text) => {
    expect(await work(text)).toBeLessThan(MOST_TIMES * plain);
  });
});
