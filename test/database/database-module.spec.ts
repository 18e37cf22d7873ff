import { rm } from 'node:fs/promises';
import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Database } from '../../src/infra/database/database';
import { DatabaseHealth } from '../../src/infra/database/database-health';
import { DatabaseModule } from '../../src/infra/database/database.module';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { SCHEMA } from '../../src/schema/schema';
import { copyOfMigratedDirectory } from '../support/embedded-copy';

Logger.overrideLogger(false);

@Entity('notes')
class NoteEntity {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  id: number;

  @Column({ name: 'text', type: 'text' })
  text: string;
}

@Injectable()
class Notes implements OnModuleDestroy {
  writtenWhileStopping = false;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async add(id: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.database.repository(NoteEntity).insert({ id, text: 'note' });
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.add(99);
    this.writtenWhileStopping = true;
  }
}

@Module({ imports: [TypeOrmModule.forFeature([NoteEntity])], providers: [Notes] })
class NotesModule {}

describe('DatabaseModule', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await copyOfMigratedDirectory();
  });

  afterAll(() => rm(dataDir, { recursive: true }));

  function start() {
    @Module({ imports: [DatabaseModule.register({ dataDir, schema: SCHEMA }), NotesModule] })
    class Application {}
    return NestFactory.createApplicationContext(Application, { logger: false, abortOnError: false });
  }

  it('serves every module until all have stopped, and releases the data directory', async () => {
    const application = await start();
    await application.get(Database).execute('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
    await application.get(Notes).add(1);
    expect(await application.get(DatabaseHealth).check()).toEqual({ ok: true });
    expect(application.get(Clock).now()).toBeInstanceOf(Date);
    await application.close();
    expect(application.get(Notes).writtenWhileStopping).toBe(true);

    const again = await start();
    expect(await again.get(Database).rows('SELECT id FROM notes ORDER BY id')).toEqual([{ id: 1 }, { id: 99 }]);
    await again.close();
  });

  it('fails to start immediately, with a clear message, if the data directory is in use', async () => {
    const application = await start();
    const started = performance.now();
    await expect(start()).rejects.toThrow(`${dataDir} is already in use by process ${process.pid}`);
    expect(performance.now() - started).toBeLessThan(15_000);
    await application.close();
  });
});
