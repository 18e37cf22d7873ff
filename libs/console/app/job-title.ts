import type { BulkJobDto } from '../../client/generated/types.gen';

/** The longest name of a job. */
export const JOB_NAME_LENGTH = 120;

/** What people call a job: its name or, without one, the template that it sends. */
export function jobTitle({ name, templateName }: Pick<BulkJobDto, 'name' | 'templateName'>): string {
  return name ?? templateName;
}
