import { Logger } from '@nestjs/common';
import type { LaneJob } from '../domain/lane-job-store.port';
import { LogLaneTelemetry } from './log-lane-telemetry';

describe('LogLaneTelemetry', () => {
  afterEach(() => jest.restoreAllMocks());

  it('logs the counts of a job that ended', () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const counts = { totalRecipients: 5, successfullySent: 3, failed: 2 };
    new LogLaneTelemetry().ended({ id: 'j1', accountId: 'a1', ...counts } as LaneJob);
    const fields = { jobId: 'j1', accountId: 'a1', recipients: 5, successfullySent: 3, failed: 2 };
    expect(log.mock.calls).toEqual([[{ ...fields, message: 'Job j1 ended: 3 of 5 sent, 2 failed' }]]);
  });
});
