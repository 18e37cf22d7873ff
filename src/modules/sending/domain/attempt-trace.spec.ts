import { uuidV7 } from '../../../kernel/uuid';
import { readAttemptTrace } from './attempt-trace';

const MESSAGE = uuidV7();
const JOB = uuidV7();

describe('The callback data of a status', () => {
  it('identifies message and attempt of a single send', () => {
    expect(readAttemptTrace(`${MESSAGE}.3`)).toEqual({ messageId: MESSAGE, attempt: 3, recipient: null });
  });

  it("also identifies a job's recipient", () => {
    const recipient = { jobId: JOB, position: 1_000_000 };

    expect(readAttemptTrace(`${MESSAGE}.1.${JOB}.1000000`)).toEqual({ messageId: MESSAGE, attempt: 1, recipient });
  });

  it('may contain the span that sent it', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    expect(readAttemptTrace(`${MESSAGE}.3.${traceparent}`)).toMatchObject({ recipient: null, attempt: 3, traceparent });
    expect(readAttemptTrace(`${MESSAGE}.1.${JOB}.7.${traceparent}`)).toMatchObject({
      recipient: { jobId: JOB, position: 7 },
      traceparent,
    });
    expect(readAttemptTrace(`${MESSAGE}.3.${traceparent.replace(/1$/, '0')}`)).toBeNull();
  });

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['the data of another system', 'job=8f2c;row=412;attempt=1'],
    ['a message alone', MESSAGE],
    ['an attempt too large for a column', `${MESSAGE}.9999999999`],
    ['no attempt', `${MESSAGE}.0`],
    ['a job without a position', `${MESSAGE}.1.${JOB}`],
    ['a position too large for a column', `${MESSAGE}.1.${JOB}.9999999999`],
    ['position 0', `${MESSAGE}.1.${JOB}.0`],
    ['a job id that is not a UUID', `${MESSAGE}.1.xyz.1`],
    ['an extra part', `${MESSAGE}.1.${JOB}.1.1`],
    ['a trailing line break', `${MESSAGE}.1\n`],
  ])('is foreign data if it is %s', (_, text) => {
    expect(readAttemptTrace(text)).toBeNull();
  });
});
