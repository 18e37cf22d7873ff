import 'reflect-metadata';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller, HttpCode, Module, Post, type RawBodyRequest, Req, UnauthorizedException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { Pool } from 'pg';

interface Order {
  databaseUrl: string;
  ledgerFile: string;
  appSecret: string;
}

interface Status {
  id: string;
  status: string;
  timestamp: string;
}

const GATHER_MS = 20;
const ROWS_A_STATEMENT = 500;
const UPDATE = `UPDATE bare_statuses AS m SET status = s.status, delivered_at = s.at
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS s (id, status, at) WHERE m.platform_message_id = s.id`;

const order = JSON.parse(process.argv[2]!) as Order;
const database = new Pool({ connectionString: order.databaseUrl, max: 10 });

/** The same work without safeguards: the signature, the JSON, and one UPDATE for everything within 20 ms. */
@Controller('webhook')
class WebhookController {
  private waiting: Status[] = [];
  private written: Promise<unknown> | null = null;

  @Post()
  @HttpCode(200)
  async report(@Req() request: RawBodyRequest<Request>): Promise<void> {
    const raw = request.rawBody!;
    const expected = `sha256=${createHmac('sha256', order.appSecret).update(raw).digest('hex')}`;
    const given = request.get('x-hub-signature-256') ?? '';
    if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) {
      throw new UnauthorizedException();
    }
    const { entry } = JSON.parse(raw.toString()) as { entry: { changes: { value: { statuses: Status[] } }[] }[] };
    this.waiting.push(...entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses)));
    await (this.written ??= this.writeSoon());
  }

  private async writeSoon(): Promise<void> {
    await new Promise((done) => setTimeout(done, GATHER_MS));
    const { waiting } = this;
    this.waiting = [];
    this.written = null;
    for (let at = 0; at < waiting.length; at += ROWS_A_STATEMENT) {
      const batch = waiting.slice(at, at + ROWS_A_STATEMENT);
      const times = batch.map(({ timestamp }) => new Date(Number(timestamp) * 1000));
      await database.query(UPDATE, [batch.map(({ id }) => id), batch.map(({ status }) => status), times]);
    }
  }
}

@Module({ controllers: [WebhookController] })
class BareModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: false, rawBody: true });
  await database.query(
    `CREATE TABLE bare_statuses (platform_message_id text PRIMARY KEY, phone text NOT NULL, status text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz)`,
  );
  const ledger = JSON.parse(readFileSync(order.ledgerFile, 'utf8')) as { messageId: string; to: string }[];
  await database.query(
    `INSERT INTO bare_statuses (platform_message_id, phone, status)
       SELECT id, phone, 'Sent' FROM unnest($1::text[], $2::text[]) AS s (id, phone)`,
    [ledger.map(({ messageId }) => messageId), ledger.map(({ to }) => to)],
  );
  await app.listen(0, '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${await app.getUrl()}\n`);
}

void main();
