import { STATUS_CODES } from 'node:http';
import { declaredErrors, type ErrorDeclaration } from '../../../kernel/domain-error';
import { STATUS_OF_KIND } from './error-response';

/** Every error of the API, by status and then by code; each is declared where it is thrown. */
export function errorCatalogue(): (ErrorDeclaration & { status: number })[] {
  return declaredErrors()
    .map((error) => ({ ...error, status: STATUS_OF_KIND[error.kind] }))
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

/** A reference to the example body of an error, which the OpenAPI document has once for all routes. */
export function errorExample(code: string): { $ref: string } {
  return { $ref: `#/components/examples/${code}` };
}

/** The example body of an error. */
export function exampleOf(error: ErrorDeclaration): { summary: string; value: Record<string, unknown> } {
  const { code, kind, when, errors, extra = {} } = error;
  return {
    summary: when,
    value: {
      error: STATUS_CODES[STATUS_OF_KIND[kind]],
      message: when,
      statusCode: STATUS_OF_KIND[kind],
      code,
      requestId: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11',
      ...(errors && { errors }),
      ...Object.fromEntries(Object.entries(extra).map(([name, { example }]) => [name, example])),
    },
  };
}

/** The JSON Schema of every extra field of an error body; the description lists the codes with each meaning. */
export function extraFields(): Record<string, object> {
  const schemas = new Map<string, object>();
  const meanings = new Map<string, Map<string, string[]>>();
  for (const { code, extra = {} } of errorCatalogue()) {
    for (const [name, { type, description, example, format, enum: values, nullable }] of Object.entries(extra)) {
      const ofField = meanings.get(name) ?? new Map<string, string[]>();
      meanings.set(name, ofField.set(description, [...(ofField.get(description) ?? []), `\`${code}\``]));
      schemas.set(name, {
        type: nullable ? [type, 'null'] : type,
        ...(type === 'array' && { items: { type: 'string' } }),
        ...(format && { format }),
        ...(values && { enum: values }),
        example,
      });
    }
  }
  return Object.fromEntries(
    [...schemas].map(([name, schema]) => {
      const texts = [...meanings.get(name)!].map(([meaning, codes]) => `${codes.join(', ')}: ${meaning}`);
      return [name, { description: `${texts.join('; ')}.`, ...schema }];
    }),
  );
}
