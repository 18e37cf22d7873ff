import { Query, type QueryResult } from 'pg';
import { type OpenedSource, openSource } from '../support/databases';

type Answered = (error: Error | null, result: QueryResult) => void;
interface Connection {
  query(...call: unknown[]): Promise<QueryResult>;
}

describe('A connection of the driver', () => {
  let opened: OpenedSource;
  let connection: Connection;

  beforeAll(async () => {
    opened = await openSource([]);
    connection = (await opened.source.createQueryRunner().connect()) as Connection;
  });

  afterAll(() => opened.close());

  const SQL = 'SELECT 1 AS one';
  const LazyQuery = Query as unknown as new (text: string, values: unknown[], answered: Answered) => object;

  it.each<[string, (answered: Answered) => unknown[]]>([
    ['after the text', (answered) => [SQL, answered]],
    ['after the values', (answered) => [SQL, [], answered]],
    ['of a configuration', (answered) => [{ text: SQL, callback: answered }]],
    ['of a query object', (answered) => [new LazyQuery(SQL, [], answered)]],
  ])('calls a callback %s', async (_, call) => {
    const { rows } = await new Promise<QueryResult>((resolve, reject) => {
      void connection.query(...call((error, result) => (error ? reject(error) : resolve(result))));
    });
    expect(rows).toEqual([{ one: 1 }]);
  });

  it("returns a promise without a callback, whose error has the caller's stack", async () => {
    expect((await connection.query(SQL)).rows).toEqual([{ one: 1 }]);
    const asked = async () => await connection.query('SELECT nothing');
    const { message, stack } = (await asked().catch((error: unknown) => error)) as Error;
    expect(message).toContain('nothing');
    expect(stack).toMatch(/at (async )?asked/);
  });
});
