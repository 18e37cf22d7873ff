import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Client } from 'pg';
import { readRecipientFile } from '../../../libs/recipient-files/read-recipient-file';

const ROWS_A_STATEMENT = 2000;

interface Order {
  databaseUrl: string;
  path: string;
  /** csv-parse: the file is only parsed; our reader: its thread also checks phones and finds duplicates. */
  reader: 'csv-parse' | 'our reader';
}

/** Reads a file and inserts its rows into a table like that of the recipients: one transaction, the next rows parsed meanwhile. */
async function main({ databaseUrl, path, reader }: Order): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS bare_recipients (LIKE job_recipients INCLUDING ALL)');
  const begun = performance.now();
  const jobId = randomUUID();
  let position = 1;
  let inserting: Promise<unknown> = Promise.resolve();
  let rows: string[][] = [];
  const flush = async (): Promise<void> => {
    await inserting;
    inserting = insert(client, jobId, position, rows);
    position += rows.length;
    rows = [];
  };
  await client.query('BEGIN');
  for await (const row of reader === 'csv-parse' ? parsed(path) : read(path)) {
    rows.push(row);
    if (rows.length === ROWS_A_STATEMENT) await flush();
  }
  await flush();
  await inserting;
  await client.query('COMMIT');
  const seconds = (performance.now() - begun) / 1000;
  await client.query('TRUNCATE bare_recipients');
  await client.end();
  process.stdout.write(`${JSON.stringify({ seconds, rows: position - 1 })}\n`);
}

async function* parsed(path: string): AsyncGenerator<string[]> {
  for await (const record of createReadStream(path).pipe(parse({ bom: true, from: 2 }))) yield record as string[];
}

async function* read(path: string): AsyncGenerator<string[]> {
  const options = { valueCount: 2, header: 'auto', duplicates: 'skip', maxRows: 1_000_000 } as const;
  for await (const { rows } of readRecipientFile(path, options).batches) {
    for (const { phone, values } of rows) yield [phone, ...values];
  }
}

function insert(client: Client, jobId: string, first: number, rows: string[][]): Promise<unknown> {
  return client.query(
    `INSERT INTO bare_recipients (job_id, position, row_number, message_id, phone, parameters)
     SELECT $1, $2::int + ordinal::int - 1, $2::int + ordinal::int, id, phone, parameters
     FROM unnest($3::uuid[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS r (id, phone, parameters, ordinal)`,
    [
      jobId,
      first,
      rows.map(() => randomUUID()),
      rows.map(([phone]) => phone),
      rows.map(([, ...values]) => JSON.stringify(values)),
    ],
  );
}

void main(JSON.parse(process.argv[2]!) as Order);
