/** The parts of an OpenAPI document that the rules check. */
export interface ApiDocument {
  openapi: string;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
  'x-required-scope'?: string;
}

interface Parameter {
  name: string;
  description?: string;
  example?: unknown;
  schema?: Schema;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Schema {
  $ref?: string;
  description?: string;
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  contentMediaType?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}

const KEYED_ERRORS = ['401', '429', '500', '503'];
/** Malformed, too large, of another type. */
const BODY_ERRORS = ['400', '413', '415'];

/** Generators create a function for each operation, so its id starts with a verb. */
const VERBS =
  /^(add|cancel|change|check|create|delete|download|erase|export|get|import|list|mark|pause|preview|remove|replace|replay|resume|retry|revoke|rotate|send|sync|test|unpause|update|upload|watch)[A-Z]\w+$/;

/** Readable in Swagger UI without scrolling past it; docs/api.md has the details. */
const MAX_DESCRIPTION = 480;

/** Missing information in the document: one line for each gap. */
export function gapsOf(document: ApiDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
  return [
    ...(document.openapi.startsWith('3.1.') ? [] : ['it is not OpenAPI 3.1']),
    ...gapsOfIds(operations.map(({ operation }) => operation.operationId ?? '')),
    ...operations.flatMap(({ route, operation }) => gapsOfOperation(operation).map((gap) => `${route} ${gap}`)),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => gapsOfSchema(name, schema)),
  ];
}

function gapsOfIds(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two operations are called ${id}`);
}

function gapsOfOperation(operation: Operation): string[] {
  const gaps: string[] = [];
  for (const word of ['operationId', 'summary', 'description', 'tags', 'security'] as const) {
    if (!operation[word] || (word !== 'security' && operation[word].length === 0)) gaps.push(`has no ${word}`);
  }
  if ((operation.description?.length ?? 0) > MAX_DESCRIPTION)
    gaps.push(`is described in over ${MAX_DESCRIPTION} characters`);
  if (operation.operationId && !VERBS.test(operation.operationId))
    gaps.push(`begins with no verb: ${operation.operationId}`);
  for (const { name, description, example, schema } of operation.parameters ?? []) {
    if (!description) gaps.push(`does not describe ${name}`);
    if ((example ?? schema?.example ?? schema?.examples) === undefined) gaps.push(`has no example of ${name}`);
  }
  for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
    if (!media.schema) gaps.push('has no schema of its request');
    if (type !== 'multipart/form-data' && !hasExample(media)) gaps.push('has no example of its request');
  }
  return [...gaps, ...gapsOfAnswers(operation)];
}

function gapsOfAnswers({ security, responses, requestBody, 'x-required-scope': scope }: Operation): string[] {
  const gaps: string[] = [];
  const statuses = Object.keys(responses);
  if (!statuses.some((status) => status.startsWith('2'))) gaps.push('has no answer that is a success');
  const keyed = [...KEYED_ERRORS, ...(scope ? ['403'] : []), ...(requestBody ? BODY_ERRORS : [])];
  const expected = security?.length ? keyed : [];
  for (const status of expected) if (!statuses.includes(status)) gaps.push(`does not say when it answers ${status}`);
  for (const [status, { description, content }] of Object.entries(responses)) {
    if (!description) gaps.push(`does not describe ${status}`);
    if (status === '204') continue;
    const [media] = Object.values(content ?? {});
    if (!media?.schema) gaps.push(`has no schema of ${status}`);
    if (!media || !hasExample(media)) gaps.push(`has no example of ${status}`);
  }
  return gaps;
}

function hasExample({ example, examples }: Media): boolean {
  return example !== undefined || Object.keys(examples ?? {}).length > 0;
}

function gapsOfSchema(name: string, schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
    const hasValue = [property.example, property.default, property.contentMediaType].some(
      (value) => value !== undefined,
    );
    const isObject = property.$ref ?? property.items?.$ref ?? property.anyOf ?? property.allOf;
    return [
      ...(property.description || property.$ref ? [] : [`${name}.${field} has no description`]),
      ...(hasValue || isObject ? [] : [`${name}.${field} has no example`]),
    ];
  });
}
