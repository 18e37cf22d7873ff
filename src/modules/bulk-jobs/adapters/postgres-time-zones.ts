import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { TimeZones } from '../domain/time-zones.port';

/** Reads the view `pg_timezone_names` once, as it takes up to 200 ms; it changes only with the release of the database server. */
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
