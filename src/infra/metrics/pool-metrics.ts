import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Database } from '../database/database';

/** The connections of this process to its database. */
@Injectable()
export class PoolMetrics {
  constructor(registry: Registry, database: Database) {
    const connections = new Gauge<'state'>({
      name: 'messaging_database_connections',
      help: 'Connections to the database that are busy or idle, and callers that wait for one.',
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
