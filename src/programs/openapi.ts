import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { readSettings } from '../../config/settings';
import { AppModule } from '../app.module';
import { reasonOf, TITLES } from '../infra/http/reasons';
import { DOCUMENT_PARTS } from './document-parts';
import { errorsPage, messageExplanations } from './errors-page';
import { apiDocument } from '../infra/http/openapi/api-document';
import { prefixRoutes } from '../infra/http/configure-http';

/** `npm run openapi`: writes the OpenAPI document, the errors page, the console's explanations and titles, and the reasons in reports; all into `folder`, if given. */
async function writeApiDocuments(folder?: string): Promise<void> {
  const docs = folder ?? 'docs';
  const consoleFolder = folder ?? 'libs/console/api';
  const settings = readSettings({});
  const root = AppModule.register({ ...settings, platform: { ...settings.platform, apiUrl: 'http://127.0.0.1' } });
  // In preview mode Nest reads modules and routes without creating them: no database, port or files are needed.
  const app = await NestFactory.create(root, { preview: true, logger: false, abortOnError: false });
  prefixRoutes(app);
  await writeFile(join(docs, 'openapi.json'), asJson(apiDocument(app, DOCUMENT_PARTS)));
  await writeFile(join(docs, 'errors.md'), errorsPage());
  const explanations = messageExplanations();
  await writeFile(join(consoleFolder, 'explanations.json'), asJson(explanations));
  await writeFile(join(consoleFolder, 'titles.json'), asJson(TITLES));
  const codes = new Set([...Object.keys(explanations), ...Object.keys(TITLES)]);
  const reasons = await reasonsInGerman([...codes].sort());
  await writeFile(join(folder ?? 'src/infra/http', 'reasons.de.json'), asJson(reasons));
}

/** The titles of error codes in the console's catalogue, so that reports have the same words. */
async function reasonsInGerman(codes: readonly string[]): Promise<Record<string, string | undefined>> {
  const { messages } = JSON.parse(await readFile('libs/console/language/catalogs/de.json', 'utf8')) as {
    messages: Record<string, string>;
  };
  return Object.fromEntries(codes.map((code) => [code, messages[reasonOf(code, 'en')]]));
}

function asJson(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

writeApiDocuments(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(
    `The document could not be written: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
