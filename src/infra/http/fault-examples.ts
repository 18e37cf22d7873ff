import { STATUS_CODES } from 'node:http';
import { type DocumentedFault, type FaultCode, FAULTS } from './fault-catalogue';

/** The codes of all faults. */
export const FAULT_CODES = Object.keys(FAULTS) as FaultCode[];

/** Refers to the example body of one fault, which the OpenAPI document holds once for all routes. */
export function faultExample(code: FaultCode): { $ref: string } {
  return { $ref: `#/components/examples/${code}` };
}

/** The example body of one fault. */
export function exampleOf(code: FaultCode): { summary: string; value: Record<string, unknown> } {
  const fault: DocumentedFault = FAULTS[code];
  return {
    summary: fault.when,
    value: {
      error: STATUS_CODES[fault.status],
      message: fault.when,
      statusCode: fault.status,
      code,
      requestId: 'c1f6d9d8-4d0c-4f0e-9a53-9a2f0a4f3b11',
      ...fault.extra,
    },
  };
}
