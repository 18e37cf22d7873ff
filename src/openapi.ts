import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { readSettings } from '../config/settings';
import { AppModule } from './app.module';
import { DOCUMENT_PARTS } from './document-parts';
import { errorsPage } from './errors-page';
import { apiDocument } from './infra/http/api-document';
import { prefixRoutes } from './infra/http/configure-http';

/** `npm run openapi`: writes the OpenAPI document and the page of errors into a folder, `docs` by default. */
async function writeApiDocuments(folder = 'docs'): Promise<void> {
  const settings = readSettings({});
  const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl: 'http://127.0.0.1' } });
  // In preview mode Nest reads modules and routes without creating them: no database, port or files are needed.
  const app = await NestFactory.create(root, { preview: true, logger: false, abortOnError: false });
  prefixRoutes(app);
  await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(apiDocument(app, DOCUMENT_PARTS), null, 2)}\n`);
  await writeFile(join(folder, 'errors.md'), errorsPage());
}

writeApiDocuments(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(
    `The document could not be written: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
