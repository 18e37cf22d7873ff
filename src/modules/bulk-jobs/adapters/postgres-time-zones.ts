import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { TimeZones } from '../domain/time-zones.port';

/** The view `pg_timezone_names`. It takes up to 200 ms to read, so it is read once: its release is that of the database server. */
@Injectable()
export class PostgresTimeZones extends TimeZones {
  private names: ReadonlySet<string> | null = null;

  constructor(private readonly database: Database) {
    super();
  }

  async has(name: string): Promise<boolean> {
    this.names ??= await this.read();
    return this.names.has(name.toLowerCase());
  }

  private async read(): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows<{ name: string }>('SELECT lower(name) AS name FROM pg_timezone_names');
    return new Set(rows.map(({ name }) => name));
  }
}
