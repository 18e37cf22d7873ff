import { JOB_NAME_LENGTH, jobTitle } from '../../app/job-title';
import { t } from '../../language/translate';
import type { BulkJobDetailDto } from '../../../client/generated/types.gen';

/** What the console has put before or after the name of a retry, in any of its languages. */
const PREFIX = /^(?:Retry of|Wiederholung von|Erneuter Versand von) /;
const SUFFIX = / – (?:retry (\d+)|(\d+)\. Wiederholung|erneuter Versand (\d+))$/;

/** Whether a job has a name as the console suggests it for a retry. */
export function isNamedRetry(title: string): boolean {
  return PREFIX.test(title) || SUFFIX.test(title);
}

/** The suggested name of a retry, so that it differs from the job that it repeats. */
export function retryName(job: Pick<BulkJobDetailDto, 'name' | 'templateName' | 'retryOf'>): string {
  const [name, retries] = job.retryOf === null ? [jobTitle(job), 0] : originOf(jobTitle(job));
  if (retries === 0) return cut(t('Retry of {job}', { job: name }), JOB_NAME_LENGTH);
  const named = (title: string) => t('{job} – retry {number}', { job: title, number: retries + 1 });
  return named(cut(name, JOB_NAME_LENGTH - [...named('')].length));
}

/** The name of the first job of a chain of retries, and how many retries the name counts. */
function originOf(title: string): [name: string, retries: number] {
  const [suffix, ...numbers] = SUFFIX.exec(title) ?? [];
  if (suffix) return [title.slice(0, -suffix.length), Number(numbers.find(Boolean))];
  let name = title;
  let retries = 0;
  for (; PREFIX.test(name); retries++) name = name.replace(PREFIX, '');
  return [name, retries];
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('');
}
