import type { BulkJobDto } from '../../client/generated/types.gen';

/** What people call a job: its name or, without one, the template that it sends. */
export function jobTitle({ name, templateName }: Pick<BulkJobDto, 'name' | 'templateName'>): string {
  return name ?? templateName;
}
