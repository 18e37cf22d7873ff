import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorDto } from './error.dto';
import { type FaultCode, FAULTS } from './fault-catalogue';
import { faultExample } from './fault-examples';

const DECLARED = 'declared-faults';

/**
 * Documents the faults that a route answers, each with an example body. It may stand several times on one route: what it
 * declares adds up, because OpenAPI has one entry for each status.
 */
export function ApiFaults(...codes: FaultCode[]): MethodDecorator & ClassDecorator {
  const declare = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const subject = (descriptor?.value ?? target) as object;
    const before = (Reflect.getOwnMetadata(DECLARED, subject) as FaultCode[] | undefined) ?? [];
    const added = [...new Set(codes)].filter((code) => !before.includes(code));
    Reflect.defineMetadata(DECLARED, [...before, ...added], subject);
    const statuses = new Set(added.map((code) => FAULTS[code].status));
    const responses = [...statuses].map((status) => responseOf(status, before, added));
    applyDecorators(ApiExtraModels(ErrorDto), ...responses)(target, key, descriptor);
  };
  return applyDecorators(declare);
}

/** Repeated for one status, the decorator of Swagger joins descriptions but replaces contents. */
function responseOf(status: number, before: FaultCode[], added: FaultCode[]): MethodDecorator & ClassDecorator {
  const ofStatus = (codes: FaultCode[]) => codes.filter((code) => FAULTS[code].status === status);
  const examples = ofStatus([...before, ...added]).map((code) => [code, faultExample(code)] as const);
  return ApiResponse({
    status,
    description: ofStatus(added)
      .map((code) => `\`${code}\`: ${FAULTS[code].when}`)
      .join('\n\n'),
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ErrorDto) }, examples: Object.fromEntries(examples) },
    },
  });
}
