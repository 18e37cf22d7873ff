jest.setTimeout(testTimeoutMs);

/**
 * In CI a failed test is retried once, with the state it left in its suite, and the summary lists it, so that an interference of the
 * machine does not fail the run. Suites that measure wall-clock time set their own number of retries.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
