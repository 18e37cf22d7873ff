import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from './database';
import { openDataSource } from './data-source';

const KILLS = 2;

jest.setTimeout(60_000);

describe('The embedded database', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-test-'));
  });

  afterAll(() => rm(dataDir, { recursive: true }));

  function startWriting(): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [require.resolve('./fixtures/write-rows'), dataDir]);
  }

  async function killed(child: ChildProcessWithoutNullStreams): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async function opened<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const source = await openDataSource({ dataDir }, []);
    try {
      return await use(new Database(source));
    } finally {
      await source.destroy();
    }
  }

  it('starts after its first start was killed halfway', async () => {
    const child = startWriting();
    while (!existsSync(join(dataDir, 'database.new'))) await wait(10);
    await killed(child);
    expect(await opened((database) => database.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('keeps every acknowledged row when its process is killed', async () => {
    const acknowledged: number[] = [];
    for (let round = 1; round <= KILLS; round++) {
      const child = startWriting();
      createInterface(child.stdout).on('line', (line) => acknowledged.push(Number(line)));
      const target = acknowledged.length + 50;
      while (acknowledged.length < target) await wait(5);
      await killed(child);
    }
    const kept = await opened((database) => database.rows<{ id: number }>('SELECT id FROM rows'));
    const keptIds = new Set(kept.map((row) => row.id));
    expect(acknowledged.filter((id) => !keptIds.has(id))).toEqual([]);
  });

  it('refuses to open the same directory twice', async () => {
    await opened(async () => {
      await expect(openDataSource({ dataDir }, [])).rejects.toThrow('is already in use by process');
    });
  });

  it('does not block the event loop during a long statement', async () => {
    await opened(async (database) => {
      let done = false;
      const statement = database.rows('SELECT count(*) FROM generate_series(1, 3000000)').finally(() => (done = true));
      let turns = 0;
      while (!done) {
        await wait(5);
        turns++;
      }
      await statement;
      expect(turns).toBeGreaterThan(10);
    });
  });
});
