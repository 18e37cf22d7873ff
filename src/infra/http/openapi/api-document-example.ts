import type { OpenAPIObject } from '@nestjs/swagger';

/** The named schemas of a document. */
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Reference = Extract<Schema, { $ref: string }>;

/** The schema itself or the one it references; undefined if that does not exist. */
export function resolved(schema: Schema, schemas: Schemas): Exclude<Schema, Reference> | undefined {
  if (!('$ref' in schema)) return schema;
  const named = schemas[schema.$ref.replace('#/components/schemas/', '')];
  return named && resolved(named, schemas);
}

/** An example of a request body with its required fields only: an optional field changes what the request does. */
export function requiredExampleOf(given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  const example = exampleOfSchema(given, schemas);
  if (!schema?.properties || schema.example !== undefined) return example;
  const required = Object.entries(example as object).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(required);
}

/** An example of the schema, built from the examples of its parts; undefined if a part has none. */
export function exampleOfSchema(given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  if (!schema) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOfSchema(part, schemas))) as unknown;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives?.[0]) return exampleOfSchema(alternatives[0], schemas);
  if (schema.items) {
    const item = exampleOfSchema(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, exampleOfSchema(field, schemas)]);
    return Object.fromEntries(fields) as unknown;
  }
  return schema.default ?? schema.enum?.[0];
}
