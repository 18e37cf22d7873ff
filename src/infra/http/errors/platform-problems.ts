import { knownPlatformProblems, type PlatformErrorClass } from '../../cloud-api/error-table';

/** The stable codes of platform problems of one class, for enums of the OpenAPI document. */
export function platformProblems(ofClass: PlatformErrorClass): string[] {
  return knownPlatformProblems()
    .filter(({ classes }) => classes.includes(ofClass))
    .map(({ problem }) => problem);
}
