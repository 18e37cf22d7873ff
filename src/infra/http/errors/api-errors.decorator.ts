import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorClass, ErrorDeclaration } from '../../../kernel/domain-error';
import { STATUS_OF_KIND } from './error-response';
import { errorExample } from './error-catalogue';
import { ErrorDto } from './error.dto';

const DECLARED = 'declared-errors';

/**
 * Documents the errors of a route, each with an example body. Several on one route are merged, because OpenAPI has one entry per
 * status.
 */
export function ApiErrors(...classes: ErrorClass[]): MethodDecorator & ClassDecorator {
  const declare = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const subject = (descriptor?.value ?? target) as object;
    const before = (Reflect.getOwnMetadata(DECLARED, subject) as ErrorDeclaration[] | undefined) ?? [];
    const added = [...new Set(classes.map(({ declaration }) => declaration))].filter((one) => !before.includes(one));
    Reflect.defineMetadata(DECLARED, [...before, ...added], subject);
    const statuses = new Set(added.map(({ kind }) => STATUS_OF_KIND[kind]));
    const responses = [...statuses].map((status) => responseOf(status, before, added));
    applyDecorators(ApiExtraModels(ErrorDto), ...responses)(target, key, descriptor);
  };
  return applyDecorators(declare);
}

/** For a repeated status, Swagger's decorator joins descriptions but replaces contents. */
function responseOf(status: number, before: ErrorDeclaration[], added: ErrorDeclaration[]) {
  const ofStatus = (errors: ErrorDeclaration[]) => errors.filter(({ kind }) => STATUS_OF_KIND[kind] === status);
  const examples = ofStatus([...before, ...added]).map(({ code }) => [code, errorExample(code)] as const);
  return ApiResponse({
    status,
    description: ofStatus(added)
      .map(({ code, when }) => `\`${code}\`: ${when}`)
      .join('\n\n'),
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ErrorDto) }, examples: Object.fromEntries(examples) },
    },
  });
}
