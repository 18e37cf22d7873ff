import { JOB_NAME_LENGTH } from '../../app/job-title';
import { retryName } from './retry-name';

describe('The suggested name of a retry', () => {
  const after = (name: string | null, retryOf: string | null = 'first') =>
    retryName({ name, templateName: 'order_update', retryOf });

  it('is that of the job, marked as its retry', () => {
    expect([after('Spring', null), after(null, null)]).toEqual(['Retry of Spring', 'Retry of order_update']);
    // A retry made by the API has the name of its job.
    expect(after('Spring')).toBe('Retry of Spring');
  });

  it('counts the retries instead of repeating the mark, in whichever language it was made', () => {
    for (const name of ['Retry of Spring', 'Wiederholung von Spring', 'Erneuter Versand von Spring'])
      expect(after(name)).toBe('Spring – retry 2');
    for (const name of ['Spring – retry 2', 'Spring – 2. Wiederholung', 'Spring – erneuter Versand 2'])
      expect(after(name)).toBe('Spring – retry 3');
    expect(after('Wiederholung von Retry of Spring')).toBe('Spring – retry 3');
  });

  it('keeps what a person called a job that is no retry', () => {
    expect(after('Retry of hope', null)).toBe('Retry of Retry of hope');
  });

  it('has room for its number', () => {
    const long = after(`Retry of ${'é'.repeat(JOB_NAME_LENGTH)}`);
    expect([...long]).toHaveLength(JOB_NAME_LENGTH);
    expect(long).toMatch(/é – retry 2$/);
  });
});
