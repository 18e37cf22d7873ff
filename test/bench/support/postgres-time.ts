import { readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** What /proc counts in: a hundredth of a second. */
const TICKS_PER_SECOND = 100;

/** The processor time that PostgreSQL uses for this database in so many milliseconds; null where it runs elsewhere. */
export async function secondsUsed(client: Client, ms: number): Promise<number | null> {
  const before = await processorTime(client);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const after = await processorTime(client);
  if (before === null || after === null) return null;
  // A session that has ended meanwhile counts as zero.
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

/** Seconds that each session of this database, except this one, has used; autovacuum is not a session: it cleans up what a benchmark loaded. */
async function processorTime(client: Client): Promise<Map<number, number> | null> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'`,
  );
  try {
    const seconds = rows.map(async ({ pid }): Promise<[number, number]> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND];
    });
    return new Map(await Promise.all(seconds));
  } catch {
    return null;
  }
}

/** Runs `work` with a connection of its own. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
