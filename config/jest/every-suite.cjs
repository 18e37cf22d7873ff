jest.setTimeout(testTimeoutMs);

/**
 * In CI a test that fails is repeated once, with the state that it left to its suite, and the summary names it: one that
 * the machine disturbed does not cost a run. Suites that measure the wall clock set their own number of repetitions.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
