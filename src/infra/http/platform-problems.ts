import { knownPlatformProblems, type PlatformErrorClass } from '../cloud-api/error-table';

/** The stable codes of the platform's problems of one class, for the enums of the OpenAPI document. */
export function platformProblems(ofClass: PlatformErrorClass): string[] {
  return knownPlatformProblems()
    .filter(({ classes }) => classes.includes(ofClass))
    .map(({ problem }) => problem);
}
