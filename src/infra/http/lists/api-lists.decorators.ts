import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

const PAGE = {
  page: { type: 'integer', example: 1 },
  pageSize: { type: 'integer', example: 20 },
  totalCount: { type: 'integer', example: 1 },
  totalPages: { type: 'integer', example: 1 },
};
const SLICE = {
  nextCursor: { type: 'string', nullable: true, example: null, description: 'null at the end of the list.' },
};

/** Documents a 200 with one page of `item`. */
export function ApiPageOf(item: Type): MethodDecorator & ClassDecorator {
  return listOf(item, 'One page, newest first.', PAGE);
}

/** Documents a 200 with one page of `item` or, with `cursor`, with the cursor of the next one. */
export function ApiPageOrSliceOf(item: Type): MethodDecorator & ClassDecorator {
  return listOf(item, 'One page, newest first; with `cursor`, items and `nextCursor`.', PAGE, SLICE);
}

/** Documents a 200 with one page of `item` and the cursor of the next one. `onRequest`: fields that a parameter asks for. */
export function ApiSliceOf(item: Type, onRequest: Record<string, object> = {}): MethodDecorator & ClassDecorator {
  return bodyOf('One page of the list.', item, [schemaOf(item, SLICE, onRequest)]);
}

/** `forms`: the fields beside `items`, of each form of the body. */
function listOf(item: Type, description: string, ...forms: Record<string, object>[]): MethodDecorator & ClassDecorator {
  return bodyOf(
    description,
    item,
    forms.map((form) => schemaOf(item, form)),
  );
}

function schemaOf(item: Type, form: Record<string, object>, onRequest: Record<string, object> = {}) {
  const fields = { items: { type: 'array', items: { $ref: getSchemaPath(item) } }, ...form };
  return { type: 'object', required: Object.keys(fields), properties: { ...fields, ...onRequest } };
}

function bodyOf(
  description: string,
  item: Type,
  schemas: ReturnType<typeof schemaOf>[],
): MethodDecorator & ClassDecorator {
  const [only, ...others] = schemas;
  const schema = others.length === 0 ? only : { oneOf: schemas };
  return applyDecorators(ApiExtraModels(item), ApiOkResponse({ description, schema }));
}
