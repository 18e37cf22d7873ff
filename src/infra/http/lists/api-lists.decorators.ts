import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** Documents a 200 with one page of `item`. */
export function ApiPageOf(item: Type): MethodDecorator & ClassDecorator {
  return listOf(item, 'One page, newest first.', {
    page: { type: 'integer', example: 1 },
    pageSize: { type: 'integer', example: 20 },
    totalCount: { type: 'integer', example: 1 },
    totalPages: { type: 'integer', example: 1 },
  });
}

/** Documents a 200 with one page of `item` and the cursor of the next one. */
export function ApiSliceOf(item: Type): MethodDecorator & ClassDecorator {
  return listOf(item, 'One page of the list.', {
    nextCursor: { type: 'string', nullable: true, example: null, description: 'null at the end of the list.' },
  });
}

function listOf(item: Type, description: string, properties: Record<string, object>): MethodDecorator & ClassDecorator {
  const fields = { items: { type: 'array', items: { $ref: getSchemaPath(item) } }, ...properties };
  return applyDecorators(
    ApiExtraModels(item),
    ApiOkResponse({ description, schema: { type: 'object', required: Object.keys(fields), properties: fields } }),
  );
}
