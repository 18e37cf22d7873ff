import { repeatedRetryWarnings, type RetryScope } from './retry-selection';

describe('A second retry of a job', () => {
  const warnings = (scope: RetryScope, errorCodes: string[], earlier: RetryScope | null, codes: string[] | null) =>
    repeatedRetryWarnings({ retryOf: 'old', scope, errorCodes, without: [] }, [
      { jobId: 'first', scope: earlier, errorCodes: codes },
    ]);

  it.each<[RetryScope, string[], RetryScope | null, string[] | null]>([
    ['failed', [], 'failed', []],
    ['failed', [], 'all', []],
    ['all', [], 'unknown', []],
    ['failed', ['expired'], 'failed', []],
    ['failed', [], 'failed', ['expired']],
    ['all', ['expired', 'platform_rejected'], 'failed', ['platform_rejected']],
    ['undelivered', [], null, null],
  ])('has a warning if the selections overlap: %s %j after %s %j', (...retries) => {
    expect(warnings(...retries)).toEqual([expect.stringMatching('^already_retried: job first ')]);
  });

  it.each<[RetryScope, string[], RetryScope | null, string[] | null]>([
    ['failed', [], 'undelivered', []],
    ['unknown', [], 'failed', []],
    ['all', ['expired'], 'failed', ['platform_rejected']],
  ])('has no warning if they do not overlap: %s %j after %s %j', (...retries) => {
    expect(warnings(...retries)).toEqual([]);
  });

  it('has no warning of a retry whose people are left out', () => {
    const all = ['latest', 'older'].map((jobId) => ({ jobId, scope: 'all' as const, errorCodes: [] }));
    const selection = { retryOf: 'old', scope: 'failed' as const, errorCodes: [] };
    expect(repeatedRetryWarnings({ ...selection, without: ['latest'] }, all)).toEqual([
      expect.stringContaining('job older '),
    ]);
    expect(repeatedRetryWarnings({ ...selection, without: ['latest', 'older'] }, all)).toEqual([]);
  });

  it('names only the newest retry', () => {
    const all = ['latest', 'older'].map((jobId) => ({ jobId, scope: 'all' as const, errorCodes: [] }));
    expect(repeatedRetryWarnings({ retryOf: 'old', scope: 'failed', errorCodes: [], without: [] }, all)).toEqual([
      expect.stringContaining('job latest '),
    ]);
  });
});
