import 'reflect-metadata';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Body, Controller, Headers, Inject, Module, Post, UnauthorizedException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Pool as Connections } from 'pg';
import { Pool } from 'undici';

interface Order {
  databaseUrl: string;
  platformUrl: string;
  phoneNumberId: string;
  accessToken: string;
  key: string;
}

interface Message {
  to: string;
  templateName: string;
  templateParameters: { text: string }[];
}

const order = JSON.parse(process.argv[2]!) as Order;

/** The same work without safeguards: key hash, one row written before and one updated after the call, each committed. */
@Controller('send')
class SendController {
  private readonly keyHash = createHash('sha256').update(order.key).digest();
  private readonly platform = new Pool(order.platformUrl, { connections: 512, pipelining: 1 });

  constructor(@Inject(Connections) private readonly database: Connections) {}

  @Post()
  async send(@Headers('x-api-key') key: string, @Body() message: Message): Promise<object> {
    if (!timingSafeEqual(createHash('sha256').update(key).digest(), this.keyHash)) throw new UnauthorizedException();
    const id = randomUUID();
    const texts = message.templateParameters.map(({ text }) => text);
    await this.inTransaction(
      `INSERT INTO bare_messages (id, phone, template_name, parameters, status) VALUES ($1, $2, $3, $4, 'Queued')`,
      [id, message.to, message.templateName, JSON.stringify(texts)],
    );
    const answer = await this.platform.request({
      method: 'POST',
      path: `/v25.0/${order.phoneNumberId}/messages`,
      headers: { authorization: `Bearer ${order.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        to: `+${message.to}`,
        type: 'template',
        template: {
          name: message.templateName,
          language: { code: 'en_US' },
          components: [{ type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) }],
        },
      }),
    });
    const { messages } = (await answer.body.json()) as { messages: { id: string }[] };
    const platformMessageId = messages[0]!.id;
    await this.inTransaction(`UPDATE bare_messages SET status = 'Sent', platform_message_id = $2 WHERE id = $1`, [
      id,
      platformMessageId,
    ]);
    return { messageId: id, status: 'Sent', to: message.to, platformMessageId, createdAt: new Date() };
  }

  private async inTransaction(statement: string, parameters: unknown[]): Promise<void> {
    const connection = await this.database.connect();
    try {
      await connection.query('BEGIN');
      await connection.query(statement, parameters);
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
  }
}

@Module({
  controllers: [SendController],
  providers: [
    { provide: Connections, useFactory: () => new Connections({ connectionString: order.databaseUrl, max: 20 }) },
  ],
})
class BareModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: false });
  await app.get(Connections).query(
    `CREATE TABLE IF NOT EXISTS bare_messages (id uuid PRIMARY KEY, phone text NOT NULL, template_name text NOT NULL,
       parameters jsonb NOT NULL, status text NOT NULL, platform_message_id text, created_at timestamptz DEFAULT now())`,
  );
  await app.listen(0, '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${await app.getUrl()}\n`);
}

void main();
