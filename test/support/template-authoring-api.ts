import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Response } from 'express';
import { pino } from 'pino';
import { Database } from '../../src/infra/database/database';
import type { ApiRequest } from '../../src/infra/http/api-request';
import { configureHttp } from '../../src/infra/http/configure-http';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import { SystemClock } from '../../src/infra/system-clock';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { Clock } from '../../src/kernel/clock';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { TemplateAuthoringController } from '../../src/modules/templates/adapters/template-authoring.controller';
import { TemplateSamplesController } from '../../src/modules/templates/adapters/template-samples.controller';
import { TemplatesController } from '../../src/modules/templates/adapters/templates.controller';
import { TemplateAuthoring } from '../../src/modules/templates/domain/template-authoring';
import { TemplateSync } from '../../src/modules/templates/domain/template-sync';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { Client } from './process/client';
import { TemplateAuthoringParts } from './template-authoring-parts';

/** The endpoints of templates over HTTP, for one account whose platform is a sandbox. */
export class TemplateAuthoringApi {
  readonly parts = new TemplateAuthoringParts();
  private app: NestExpressApplication;

  async start(database: Database): Promise<Client> {
    const { parts } = this;
    await parts.open(database);
    await parts.begin();
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [TemplateAuthoringController, TemplateSamplesController, TemplatesController],
      providers: [
        IdempotencyKeys,
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: new TypeOrmUnitOfWork(database) },
        { provide: Clock, useClass: SystemClock },
        { provide: SendersService, useValue: parts.senders },
        { provide: TemplateAuthoring, useValue: parts.authoring },
        { provide: TemplateSync, useValue: parts.templateSync },
        { provide: TemplatesService, useValue: parts.templates },
      ],
    }).compile();
    this.app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(this.app, { maxFileBytes: 1000, logger: pino({ level: 'silent' }) });
    this.app.use((incoming: ApiRequest, _response: Response, next: NextFunction) => {
      incoming.caller = parts.caller;
      next();
    });
    await this.app.listen(0, '127.0.0.1');
    return new Client({ api: `${await this.app.getUrl()}/api/v1/messaging` });
  }

  async stop(): Promise<void> {
    await this.app?.close();
    await this.parts.close();
  }
}
