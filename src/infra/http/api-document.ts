import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_KEY_SCHEME } from './access.decorators';
import { type ClosedCodes, completed } from './api-document-completion';

const DESCRIPTION = `Sends pre-approved template messages to one person, to an uploaded list or to a contact group, and tells afterwards
what happened to every single message.

**Key.** Every request carries its API key in the header \`X-API-Key\`, and nowhere else. A key has scopes; each operation
names the one that it needs. Press *Authorize* to try the operations on this page.

**Templates.** A template must be approved on the platform before it can be sent; a template that was created in the platform's own
console is added by \`POST /templates/sync\`. A template has ONE list of values: the variable of the text header, then
the variables of the body, then those of the buttons. Value n is \`templateParameters[n-1]\`, column n+1 of a file,
\`parameterDefaults["n"]\` and a contact's \`parameters["n"]\`.

**Bulk sends** run in the background: the answer has the id of a job, and the job shows the progress.

**Errors** have one body, \`ErrorDto\`: \`code\` is for programs, \`message\` for people, and \`requestId\` identifies the request in the log.`;

/** The groups of operations, in reading order. */
const TAGS: Readonly<Record<string, string>> = {
  Sending: 'Send a template to one recipient, to the recipients of a file, or to a contact group.',
  'Bulk jobs': 'What became of the sends to files and groups: progress, recipients and control.',
  Live: 'What happens now, as streams of server-sent events.',
  Templates: "The account's message templates, and their sync with the platform.",
  Groups: 'Contact groups and who is in them.',
  Contacts: 'The people whom the account writes to, with their values for template placeholders.',
  'Opt-outs': 'Numbers that want no messages. Every send respects them.',
  'Chat history': 'Conversations and their messages, and replies within 24 hours of what a person wrote.',
  Media: 'Files that are sent with messages, and files that people sent.',
  Webhooks:
    'Where your account is told what happens, and what was delivered there. The events stand below, under webhooks.',
  'API keys': 'The keys of your account, what they may do, and who you are.',
  Accounts: 'All accounts of the service, for its operator.',
  Operations: 'For those who run the service. They need no key.',
};

/** What the modules know of the document beyond their routes. */
export interface DocumentParts {
  codes: ClosedCodes;
  /** What the service sends to others. */
  webhooks: NonNullable<OpenAPIObject['webhooks']>;
}

/** The OpenAPI 3.1 document of everything that the application serves, and of what it sends to others. */
export function apiDocument(app: INestApplication, { codes, webhooks }: DocumentParts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Messaging Template API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/', 'This server')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of your account.' },
      API_KEY_SCHEME,
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  return completed({ ...document, webhooks }, codes);
}

/** Serves the document at `/docs-json` and Swagger UI at `/docs`. */
export function serveApiDocument(app: INestApplication, parts: DocumentParts): void {
  SwaggerModule.setup('docs', app, () => apiDocument(app, parts), {
    jsonDocumentUrl: 'docs-json',
    raw: ['json'],
    swaggerOptions: {
      // A key in the storage of the browser would outlive the visit.
      persistAuthorization: false,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      docExpansion: 'none',
      filter: true,
      defaultModelsExpandDepth: 0,
    },
    customSiteTitle: 'Messaging Template API',
  });
}
