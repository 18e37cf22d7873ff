import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Database } from '../database/database';

/** Metrics of this process's database connections. */
@Injectable()
export class PoolMetrics {
  constructor(registry: Registry, database: Database) {
    const connections = new Gauge<'state'>({
      name: 'messaging_database_connections',
      help: 'Busy and idle connections to the database, and callers waiting for one.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        const { total, idle, waiting } = database.connections;
        connections.set({ state: 'busy' }, total - idle);
        connections.set({ state: 'idle' }, idle);
        connections.set({ state: 'waiting' }, waiting);
      },
    });
  }
}
