import { setTimeout as wait } from 'node:timers/promises';
import { type Database, TransactionRolledBackError } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { describeOnDatabase } from '../support/databases';

describeOnDatabase('A unit of work', (open) => {
  let database: Database;
  let unitOfWork: TypeOrmUnitOfWork;

  beforeAll(async () => {
    database = await open();
    unitOfWork = new TypeOrmUnitOfWork(database);
    await database.execute('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
  });

  beforeEach(() => database.execute('DELETE FROM notes'));

  const write = (id: number, text = 'note') => database.execute('INSERT INTO notes VALUES ($1, $2)', [id, text]);
  const written = async () =>
    (await database.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map((r) => r.id);

  it('commits its work and returns its result', async () => {
    const result = await unitOfWork.run(async () => {
      await write(1);
      await write(2);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await written()).toEqual([1, 2]);
  });

  it('rolls back everything and rejects with the error of its work', async () => {
    const failure = new Error('no');
    const run = unitOfWork.run(async () => {
      await write(1);
      throw failure;
    });
    await expect(run).rejects.toBe(failure);
    expect(await written()).toEqual([]);
  });

  it('sees its own rows before the commit', async () => {
    await unitOfWork.run(async () => {
      await write(1);
      expect(await written()).toEqual([1]);
    });
  });

  it('joins the surrounding one: its rows are rolled back with the outer one', async () => {
    const run = unitOfWork.run(async () => {
      await unitOfWork.run(() => write(1));
      throw new Error('outer');
    });
    await expect(run).rejects.toThrow('outer');
    expect(await written()).toEqual([]);
  });

  it('rolls back everything if an inner one rejects, even if the outer one continues', async () => {
    const inner = new Error('inner');
    const run = unitOfWork.run(async () => {
      await write(1);
      await unitOfWork.run(() => Promise.reject(inner)).catch(() => undefined);
    });
    await expect(run).rejects.toThrow(TransactionRolledBackError);
    await expect(run).rejects.toMatchObject({ cause: inner });
    expect(await written()).toEqual([]);
  });

  it('rejects if its work hides a failed statement, because nothing can be committed', async () => {
    const run = unitOfWork.run(async () => {
      await write(1);
      await write(1).catch(() => undefined);
    });
    await expect(run).rejects.toThrow(TransactionRolledBackError);
    await expect(run).rejects.toMatchObject({ cause: { driverError: { code: '23505' } } });
    expect(await written()).toEqual([]);
  });

  it('runs afterCommit actions only after the commit, outside the transaction and in order', async () => {
    const acts: unknown[] = [];
    let readAfterwards: Promise<number[]> | undefined;
    await unitOfWork.run(async () => {
      await write(1);
      await unitOfWork.run(() => {
        unitOfWork.afterCommit(() => acts.push('first'));
        return Promise.resolve();
      });
      unitOfWork.afterCommit(() => {
        acts.push('second');
        readAfterwards = database.transaction(written);
      });
      expect(acts).toEqual([]);
    });
    expect(acts).toEqual(['first', 'second']);
    expect(await readAfterwards).toEqual([1]);
  });

  it('runs no afterCommit actions after a rollback', async () => {
    let acted = false;
    const run = unitOfWork.run(() => {
      unitOfWork.afterCommit(() => (acted = true));
      return Promise.reject(new Error('no'));
    });
    await expect(run).rejects.toThrow('no');
    expect(acted).toBe(false);
  });

  it('runs afterCommit actions immediately without a transaction', () => {
    let acted = false;
    unitOfWork.afterCommit(() => (acted = true));
    expect(acted).toBe(true);
  });

  it('stays committed and runs the other actions if one of them fails', async () => {
    let acted = false;
    const result = await unitOfWork.run(async () => {
      await write(1);
      unitOfWork.afterCommit(() => {
        throw new Error('action');
      });
      unitOfWork.afterCommit(() => (acted = true));
      return 'done';
    });
    expect([result, acted]).toEqual(['done', true]);
    expect(await written()).toEqual([1]);
  });

  it('hides its rows from others before the commit', async () => {
    const undone = unitOfWork.run(async () => {
      await write(1);
      await wait(30);
      throw new Error('no');
    });
    const committed = unitOfWork.run(async () => {
      await write(2);
      await wait(30);
    });
    const seenMeanwhile = wait(10).then(written);
    await expect(undone).rejects.toThrow('no');
    await committed;
    expect(await seenMeanwhile).not.toContain(1);
    expect(await written()).toEqual([2]);
  });

  it('does not include a timer that it started and that fires after its end', async () => {
    let late: Promise<number[]> | undefined;
    let fired: (() => void) | undefined;
    const firing = new Promise<void>((resolve) => (fired = resolve));
    await unitOfWork.run(async () => {
      await write(1);
      setTimeout(() => {
        late = unitOfWork.run(async () => {
          await write(2);
          return written();
        });
        fired?.();
      }, 30);
    });
    await firing;
    expect(await late).toEqual([1, 2]);
    expect(await written()).toEqual([1, 2]);
  });

  it('does not wait for responses to submitted statements, and keeps their order', async () => {
    const submit = (id: number) => database.submit('INSERT INTO notes VALUES ($1, $2)', [id, 'note']);
    const seen = await unitOfWork.run(async () => {
      await submit(1);
      await write(2);
      await submit(3);
      const read = await written();
      await submit(4);
      return read;
    });
    expect(seen).toEqual([1, 2, 3]);
    expect(await written()).toEqual([1, 2, 3, 4]);
  });

  it('rejects with the error of a submitted statement, and rolls back everything', async () => {
    const violation = { driverError: { code: '23505' } };
    const submitTwice = async () => {
      await database.submit('INSERT INTO notes VALUES (1)');
      await database.submit('INSERT INTO notes VALUES (1)');
    };
    let acted = false;
    const last = unitOfWork.run(() => {
      unitOfWork.afterCommit(() => (acted = true));
      return submitTwice();
    });
    await expect(last).rejects.toMatchObject(violation);
    const followed = unitOfWork.run(async () => {
      await submitTwice();
      await written();
    });
    await expect(followed).rejects.toMatchObject(violation);
    await expect(database.submit('INSERT INTO notes VALUES (1), (1)')).rejects.toMatchObject(violation);
    expect(await written()).toEqual([]);
    expect(acted).toBe(false);
  });

  it('releases its connection however it ends', async () => {
    for (let round = 0; round < 25; round++) {
      await unitOfWork.run(() => Promise.reject(new Error('no'))).catch(() => undefined);
      await unitOfWork.run(() => write(1).then(() => write(1))).catch(() => undefined);
    }
    expect(await written()).toEqual([]);
  });
});

describeOnDatabase('A transaction that cannot be opened', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.execute('CREATE TABLE notes (id integer PRIMARY KEY)');
  });
  // It is opened by a prepared statement of the connection; the next caller gets the most recently used connection.
  beforeEach(() => database.execute('DEALLOCATE ALL'));

  it('executes none of its statements', async () => {
    const write = (id: number) => database.submit('INSERT INTO notes VALUES ($1)', [id]);
    const run = database.transaction(async () => {
      await write(1);
      await write(2);
    });
    await expect(run).rejects.toMatchObject({ driverError: { code: '26000' } });
    expect(await database.rows('SELECT id FROM notes')).toEqual([]);
  });

  it('executes none of its statements if its work hides the failure of the first', async () => {
    const write = (id: number) => database.execute('INSERT INTO notes VALUES ($1)', [id]);
    const run = database.transaction(async () => {
      await write(1).catch(() => undefined);
      await write(2);
    });
    await expect(run).rejects.toThrow('Connection terminated');
    expect(await database.rows('SELECT id FROM notes')).toEqual([]);
  });
});

describeOnDatabase('The database', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.execute('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
  });

  it('returns the number of changed or returned rows for each kind of statement', async () => {
    const insert = 'INSERT INTO notes SELECT * FROM unnest($1::int[], $2::text[]) RETURNING id';
    expect(
      await database.execute(insert, [
        [1, 2, 3],
        ['a', 'b', 'c'],
      ]),
    ).toEqual({
      rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
      affected: 3,
    });
    expect(await database.execute('UPDATE notes SET text = $1 WHERE id > 1', ['x'])).toEqual({ rows: [], affected: 2 });
    expect(await database.execute('DELETE FROM notes WHERE id = 9')).toEqual({ rows: [], affected: 0 });
    expect(await database.rows('SELECT text FROM notes WHERE id = 2')).toEqual([{ text: 'x' }]);
  });
});
