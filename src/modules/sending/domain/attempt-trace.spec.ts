import { uuidV7 } from '../../../kernel/uuid';
import { readAttemptTrace } from './attempt-trace';

const MESSAGE = uuidV7();
const JOB = uuidV7();

describe('The callback data of a status', () => {
  it('tells the message and the attempt of a single send', () => {
    expect(readAttemptTrace(`${MESSAGE}.3`)).toEqual({ messageId: MESSAGE, attempt: 3, recipient: null });
  });

  it("tells a job's recipient beside them", () => {
    const recipient = { jobId: JOB, position: 1_000_000 };

    expect(readAttemptTrace(`${MESSAGE}.1.${JOB}.1000000`)).toEqual({ messageId: MESSAGE, attempt: 1, recipient });
  });

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['what another system sent', 'job=8f2c;row=412;attempt=1'],
    ['a message alone', MESSAGE],
    ['an attempt that no column holds', `${MESSAGE}.9999999999`],
    ['no attempt', `${MESSAGE}.0`],
    ['a job without a position', `${MESSAGE}.1.${JOB}`],
    ['a position that no column holds', `${MESSAGE}.1.${JOB}.9999999999`],
    ['position 0', `${MESSAGE}.1.${JOB}.0`],
    ['a job that is no UUID', `${MESSAGE}.1.xyz.1`],
    ['something behind it', `${MESSAGE}.1.${JOB}.1.1`],
    ['a line break behind it', `${MESSAGE}.1\n`],
  ])('is not of our making when it is %s', (_, text) => {
    expect(readAttemptTrace(text)).toBeNull();
  });
});
