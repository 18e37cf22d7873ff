import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { HttpServer, INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { API_KEY_SCHEME } from '../access/access.decorators';
import { type ClosedCodes, completeDocument } from './api-document-completion';
import { RouteNotFoundError } from '../errors/http.errors';
import { compressedFile, type PreparedFile, sendPrepared } from '../edge/prepared-file';
import { version } from '../../../../package.json';

/** Path of the document. */
const DOCUMENT_PATH = '/docs-json';

const DESCRIPTION =
  `Sends pre-approved template messages to one person, to an uploaded list or to a contact group, and records the outcome of every message.

**Key.** Send the API key in the header \`X-API-Key\`, and nowhere else. A key has scopes; each operation names the one it needs. Press *Authorize* to try the operations on this page.

**Templates.** A template must be approved on the platform before it can be sent; \`POST /templates/sync\` adds templates created in
the platform's own console. A template has ONE list of values: the variable of the text header, then the variables of the body, then
those of the buttons. Value n is \`templateParameters[n-1]\`, column n+1 of a file,
\`parameterDefaults["n"]\` and a contact's \`parameters["n"]\`.

**Bulk sends** run in the background: the response has the id of a job, which shows the progress.

**Errors** share one body, \`ErrorDto\`: \`code\` is for programs, \`message\` for people, and \`requestId\` ` +
  `identifies the request in the log.`;

/** The groups of operations, in reading order. */
const TAGS: Readonly<Record<string, string>> = {
  Sending: 'Send a template to one recipient, to the recipients of a file, or to a contact group.',
  'Bulk jobs': 'Bulk sends to files and groups: progress, recipients and control.',
  Live: 'Live updates as server-sent events.',
  Templates: 'Message templates of the account, and their sync with the platform.',
  Groups: 'Contact groups and their members.',
  Contacts: 'Contacts of the account, with their values for template placeholders.',
  'Opt-outs': 'Numbers that have opted out. Every send respects them.',
  'Chat history': "Conversations and their messages, and replies within 24 hours of a person's last message.",
  Media: 'Files to send with messages, and files that people sent.',
  Webhooks: 'Webhook endpoints of your account and deliveries to them. The events are listed below, under webhooks.',
  'API keys': 'Your account, its API keys and their scopes.',
  Accounts: 'All accounts of the service; for the operator.',
  Operations: 'For operating the service. No key required.',
};

/** Parts of the document that modules contribute in addition to their routes. */
export interface DocumentParts {
  codes: ClosedCodes;
  /** Outgoing webhooks. */
  webhooks: NonNullable<OpenAPIObject['webhooks']>;
}

/** The OpenAPI 3.1 document of the application's routes and outgoing webhooks. */
export function apiDocument(app: INestApplication, { codes, webhooks }: DocumentParts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Messaging Template API')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .addServer('/', 'This server')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of your account.' },
      API_KEY_SCHEME,
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  return completeDocument({ ...document, webhooks }, codes);
}

/** What requests of the page reach. */
export interface PageTarget {
  platformHost: string;
  /** Whether the platform is a sandbox, where messages reach nobody. */
  isSandbox: boolean;
}

/** Serves the document at `/docs-json`, compressed once, and Swagger UI at `/docs`, which loads it from there. */
export function serveApiDocument(app: INestApplication, parts: DocumentParts, target: PageTarget): void {
  let document: Promise<PreparedFile> | undefined;
  const servers = [{ url: '/', description: descriptionOf(target) }];
  const adapter = app.getHttpAdapter() as HttpServer<Request, Response>;
  void adapter.get(DOCUMENT_PATH, async (request: Request, response: Response) => {
    document ??= compressedFile('json', Buffer.from(JSON.stringify({ ...apiDocument(app, parts), servers })));
    sendPrepared(request, response, await document);
  });
  app.use('/docs/:file', (request: Request, response: Response, next: NextFunction) => {
    servePageFile(request, response, next).catch(next);
  });
  // With an empty document the page loads `url`.
  SwaggerModule.setup('docs', app, {} as OpenAPIObject, {
    raw: false,
    swaggerOptions: {
      url: DOCUMENT_PATH,
      // A key in browser storage would outlive the visit.
      persistAuthorization: false,
      displayRequestDuration: true,
      // With a real platform a form opens only after "Try it out", so that no click sends by accident.
      tryItOutEnabled: target.isSandbox,
      docExpansion: 'none',
      filter: true,
      defaultModelsExpandDepth: 0,
      requestInterceptor: withoutEmptyFields,
    },
    customSiteTitle: 'Messaging Template API',
  });
}

/** Shown above the operations, beside the address. */
function descriptionOf({ platformHost, isSandbox }: PageTarget): string {
  return isSandbox
    ? 'This server. It sends to a sandbox: messages reach nobody.'
    : `This server. It sends through ${platformHost}: Execute sends real messages from the default sender of the key's account.`;
}

/**
 * Runs in the browser, so it may refer to nothing else here. Swagger UI sends the fields of a form that nobody filled in as empty texts,
 * and an empty `columns` is rejected.
 */
function withoutEmptyFields(request: { body?: unknown }): object {
  const { body } = request;
  if (body instanceof FormData) {
    for (const [name, value] of [...body.entries()]) if (value === '') body.delete(name);
  }
  return request;
}

/** The files that the Swagger UI page loads; no other files of its package are served. */
const PAGE_FILES = /^(swagger-ui(-bundle|-standalone-preset)?\.(js|css)|favicon-(16x16|32x32)\.png)$/;
/** Generated by Nest. */
const GENERATED_FILES = /^(swagger-ui-init\.js|index\.html)$/;
const pageFiles = new Map<string, Promise<PreparedFile>>();

async function servePageFile(request: Request, response: Response, next: NextFunction): Promise<void> {
  const name = request.params.file as string;
  if (GENERATED_FILES.test(name)) return next();
  if (!PAGE_FILES.test(name)) throw new RouteNotFoundError();
  const file = pageFiles.get(name) ?? preparePageFile(name);
  pageFiles.set(name, file);
  file.catch(() => pageFiles.delete(name));
  sendPrepared(request, response, await file);
}

async function preparePageFile(name: string): Promise<PreparedFile> {
  const requireFromSwagger = createRequire(require.resolve('@nestjs/swagger'));
  const path = requireFromSwagger.resolve(`swagger-ui-dist/${name}`);
  return compressedFile(extname(name), await readFile(path));
}
