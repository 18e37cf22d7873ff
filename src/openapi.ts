import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { readSettings } from '../config/settings';
import { AppModule } from './app.module';
import { apiDocument } from './infra/http/api-document';
import { prefixRoutes } from './infra/http/configure-http';

/** `npm run openapi`: writes the OpenAPI document into a file, `docs/openapi.json` by default. */
async function writeApiDocument(file = 'docs/openapi.json'): Promise<void> {
  const settings = readSettings({});
  const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl: 'http://127.0.0.1' } });
  // In preview mode Nest reads modules and routes but creates none of them: no database, no port, no files.
  const app = await NestFactory.create(root, { preview: true, logger: false, abortOnError: false });
  prefixRoutes(app);
  await writeFile(file, `${JSON.stringify(apiDocument(app), null, 2)}\n`);
}

writeApiDocument(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(
    `The document could not be written: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
