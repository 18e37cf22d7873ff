import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { type DatabaseOptions, openDataSource } from './data-source';
import { Database } from './database';
import { DatabaseClock } from './database-clock';
import { DatabaseIdentity } from './database-identity';
import { DatabaseHealth } from './database-health';
import { MessagePartitions } from './message-partitions';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work';

/** The database, the unit of work and the clock, for every module without importing this one. */
@Module({})
export class DatabaseModule {
  /** Opens the database while the application starts, and closes it in `onApplicationShutdown`, after all others. */
  static register(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // Opening has its own retries; Nest's would only delay the error message.
          useFactory: () => ({ type: 'postgres', autoLoadEntities: true, toRetry: () => false }),
          dataSourceFactory: (withEntities) => openDataSource(options, withEntities?.entities),
        }),
      ],
      providers: [
        Database,
        DatabaseHealth,
        DatabaseIdentity,
        MessagePartitions,
        { provide: UnitOfWork, useClass: TypeOrmUnitOfWork },
        { provide: Clock, inject: [Database], useFactory: (database: Database) => DatabaseClock.started(database) },
      ],
      exports: [Database, DatabaseHealth, DatabaseIdentity, MessagePartitions, UnitOfWork, Clock],
    };
  }
}
