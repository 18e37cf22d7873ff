import { knownPlatformProblems, type PlatformErrorClass } from '../../cloud-api/error-table';

const OF_AUTHORING = /^100\/\d{7}$/;

/** The stable codes with which the platform can refuse a single message, not those of template authoring. */
export function refusalsOfMessages(): string[] {
  return knownPlatformProblems()
    .filter(({ classes }) => classes.some((one) => one === 'recipient' || one === 'message' || one === 'job'))
    .filter(({ codes }) => !codes.every((code) => OF_AUTHORING.test(code)))
    .map(({ problem }) => problem);
}

/** The stable codes of platform problems of one class, for enums of the OpenAPI document. */
export function platformProblems(ofClass: PlatformErrorClass): string[] {
  return knownPlatformProblems()
    .filter(({ classes }) => classes.includes(ofClass))
    .map(({ problem }) => problem);
}
