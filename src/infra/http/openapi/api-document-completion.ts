import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleOfSchema, requiredExampleOf, resolved, type Schemas } from './api-document-example';
import { knownPlatformProblems } from '../../cloud-api/error-table';
import { errorCatalogue, errorExample, exampleOf, extraFields } from '../errors/error-catalogue';

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponseObject = Exclude<NonNullable<OperationObject['responses'][string]>, { $ref: string }>;
type MediaTypes = NonNullable<ResponseObject['content']>;
type Headers = Record<string, { $ref: string }>;

const headersNamed = (...names: string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const REQUEST_ID = headersNamed('X-Request-Id');
const RATE_LIMIT = headersNamed('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
const RETRY_AFTER = headersNamed('Retry-After');
const REPLAYED = headersNamed('Idempotency-Replayed');

const HEADERS = {
  'X-Request-Id': {
    description: "The request's own `X-Request-Id` if it is 1 to 64 letters, digits, `_` and `-`; otherwise a new one.",
    schema: { type: 'string', example: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11' },
  },
  'RateLimit-Limit': {
    description: 'Burst size of the plan in requests.',
    schema: { type: 'integer', example: 200 },
  },
  'RateLimit-Remaining': {
    description: 'Requests currently allowed.',
    schema: { type: 'integer', example: 199 },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the full burst is available again.',
    schema: { type: 'integer', example: 1 },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response of an earlier request; otherwise absent.',
    schema: { type: 'string', example: 'true' },
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1, example: 1 },
  },
} as const;

/** The possible codes of properties, by schema and property name. */
export type ClosedCodes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/**
 * Adds to the document what route decorators cannot: scopes as text, response headers, example bodies of all errors, an example for
 * each body without one, and codes that span modules.
 */
export function completeDocument(document: OpenAPIObject, codes: ClosedCodes): OpenAPIObject {
  const components = { ...document.components, examples: examplesUsedBy(document), headers: HEADERS };
  for (const operation of operationsOf(document)) {
    operation.security ??= [];
    describeScope(operation);
    clearFilterExamples(operation);
    for (const [status, response] of Object.entries(operation.responses) as [string, ResponseObject][]) {
      response.headers = { ...response.headers, ...headersOf(status, operation) };
      addExamples(response.content, components.schemas ?? {}, exampleOfSchema);
    }
    const body = operation.requestBody;
    if (body && !('$ref' in body)) addExamples(body.content, components.schemas ?? {}, requiredExampleOf);
  }
  for (const { requestBody: body } of operationsOf({ paths: document.webhooks ?? {} })) {
    if (body && !('$ref' in body)) addExamples(body.content, components.schemas ?? {}, exampleOfSchema);
  }
  Object.values(components.schemas ?? {}).forEach(markBinaryFields);
  for (const { requestBody: body } of operationsOf(document)) {
    if (body && !('$ref' in body)) clearFormExamples(body.content['multipart/form-data'], components.schemas ?? {});
  }
  Object.values(components.schemas ?? {}).forEach(describeDefaults);
  addErrorFields(components.schemas?.ErrorDto);
  addCodeEnums(components.schemas ?? {}, codes);
  return { ...document, components };
}

function examplesUsedBy({ paths }: OpenAPIObject): Record<string, object> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    errorCatalogue()
      .filter(({ code }) => text.includes(`"${errorExample(code).$ref}"`))
      .map((error) => [error.code, exampleOf(error)]),
  );
}

function operationsOf({ paths }: Pick<OpenAPIObject, 'paths'>): OperationObject[] {
  return Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );
}

function describeScope(
  operation: OperationObject & { 'x-required-scope'?: string; 'x-other-scopes'?: string[] },
): void {
  const scope = operation['x-required-scope'];
  if (scope === undefined) return;
  const enough = [scope, ...(operation['x-other-scopes'] ?? [])].map((one) => `\`${one}\``);
  operation.description = `${operation.description ?? ''}\n\nScope: ${enough.join(' or ')}`.trim();
}

/**
 * Keeps only defaults as examples of optional query parameters. Swagger UI fills in each `example`: otherwise it would request a list
 * with all filters at once, and erase a contact because of the example of `erase`.
 */
function clearFilterExamples({ parameters = [] }: OperationObject): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.in !== 'query' || parameter.required === true) continue;
    const { example, ...schema } = parameter.schema as { example?: unknown; default?: unknown };
    if (example === undefined) continue;
    const { default: value } = schema;
    parameter.schema = value === undefined ? { ...schema, examples: [example] } : { ...schema, example: value };
  }
}

/**
 * Does the same for optional form fields, which conflict if all are filled in. Swagger UI invents a value for a field without an
 * example, so the example is empty, which the page does not send, and the description contains the real one.
 */
function clearFormExamples(form: MediaTypes[string] | undefined, schemas: Schemas): void {
  const schema = form?.schema && resolved(form.schema, schemas);
  if (schema) requiredFirst(schema);
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    if ('$ref' in field || schema?.required?.includes(name)) continue;
    const { default: value, type } = field as { default?: unknown; type?: unknown };
    const example = exampleOfSchema(field, schemas);
    // Swagger UI shows no form at all if the example of a list is a text.
    field.example = value ?? (type === 'array' ? [] : '');
    if (value !== undefined || example === undefined) continue;
    const shown = typeof example === 'string' ? example : JSON.stringify(example);
    field.description = `${field.description ?? ''} Example: \`${shown}\`.`.trim();
  }
}

/** The page shows fields in this order; a long form would hide required ones far below optional ones. */
function requiredFirst(schema: NonNullable<ReturnType<typeof resolved>>): void {
  const { properties = {}, required = [] } = schema;
  const named = Object.entries(properties);
  schema.properties = Object.fromEntries([
    ...named.filter(([name]) => required.includes(name)),
    ...named.filter(([name]) => !required.includes(name)),
  ]);
}

function headersOf(status: string, { security, parameters = [] }: OperationObject): Headers {
  const keyed = security?.length !== 0;
  const succeeds = status.startsWith('2');
  const repeatable = parameters.some((parameter) => !('$ref' in parameter) && parameter.name === 'Idempotency-Key');
  return {
    ...(succeeds && REQUEST_ID),
    ...(repeatable && (status === '201' || status === '202') && REPLAYED),
    ...(keyed && (succeeds || status === '429') && RATE_LIMIT),
    ...(keyed && (status === '429' || status === '503') && RETRY_AFTER),
  };
}

function addExamples(content: MediaTypes | undefined, schemas: Schemas, exampleFor: typeof exampleOfSchema): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    // Swagger UI shows the fields of a form separately, each with its own example.
    if (media.example !== undefined || media.examples || !media.schema || type === 'multipart/form-data') continue;
    media.example = exampleFor(media.schema, schemas);
  }
}

/** Adds the codes and extra fields of all declared errors, and the codes of the platform's refusals of a single send. */
function addErrorFields(schema: Schemas[string] | undefined): void {
  if (!schema || '$ref' in schema || !schema.properties) return;
  const declared = errorCatalogue().map(({ code }) => code);
  const refused = knownPlatformProblems().map(({ problem }) => problem);
  Object.assign(schema.properties.code ?? {}, { enum: [...new Set([...declared, ...refused])] });
  Object.assign(schema.properties, extraFields());
}

/** Moves defaults to the description, because client generators turn a field with a `default` into a required one. */
function describeDefaults(schema: Schemas[string]): void {
  if ('$ref' in schema) return;
  for (const field of Object.values(schema.properties ?? {})) {
    if ('$ref' in field || field.default === undefined) continue;
    const { default: value } = field as { default: unknown };
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    delete field.default;
    field.description = `${field.description ?? ''} Default: \`${shown}\`.`.trim();
    field.example ??= value;
  }
}

function addCodeEnums(schemas: Schemas, codes: ClosedCodes): void {
  for (const [name, properties] of Object.entries(codes)) {
    const schema = schemas[name];
    for (const [property, values] of Object.entries(properties)) {
      const field = schema && !('$ref' in schema) ? schema.properties?.[property] : undefined;
      if (!field || '$ref' in field) throw new Error(`The API document has no ${name}.${property}`);
      const isNullable = Array.isArray(field.type) && field.type.includes('null');
      field.enum = isNullable ? [...values, null] : [...values];
    }
  }
}

/** OpenAPI 3.1 marks binary fields by media type; the decorators support only the `format` of 3.0, which older tools use. */
function markBinaryFields(schema: Schemas[string]): void {
  if ('$ref' in schema) return;
  const { properties = {} } = schema;
  for (const [name, field] of Object.entries(properties)) {
    if ('$ref' in field || field.format !== 'binary') continue;
    Object.assign(field, { contentMediaType: 'application/octet-stream' });
    // The file comes first, as the main field of the form.
    const { [name]: file, ...others } = properties;
    schema.properties = { [name]: file!, ...others };
  }
}
