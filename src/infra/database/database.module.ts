import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { type DatabaseOptions, openDataSource } from './data-source';
import { Database } from './database';
import { DatabaseClock } from './database-clock';
import { DatabaseIdentity } from './database-identity';
import { DatabaseHealth } from './database-health';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work';

/** Provides the database, the unit of work and the clock to every module. */
@Module({})
export class DatabaseModule {
  /** Opens the database while the application starts and closes it last, in `onApplicationShutdown`. */
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
        { provide: UnitOfWork, useClass: TypeOrmUnitOfWork },
        { provide: Clock, inject: [Database], useFactory: (database: Database) => DatabaseClock.started(database) },
      ],
      exports: [Database, DatabaseHealth, DatabaseIdentity, UnitOfWork, Clock],
    };
  }
}
