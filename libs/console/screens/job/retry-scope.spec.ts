import { defaultScope, worthRetrying } from './retry-scope';

const UNREACHABLE = { errorCode: 'recipient_unreachable', retryable: true, failed: 4, undelivered: 2 } as const;
const FAULT = { errorCode: 'platform_fault', retryable: true, failed: 3, undelivered: 1 } as const;
const UNCONFIRMED = { errorCode: 'outcome_unknown', retryable: true, failed: 5, undelivered: 0 } as const;

describe('The scope of a retry', () => {
  it('is the first with recipients that the same message may reach, whose number the button shows', () => {
    const job = { failed: 12, unknown: 5, undelivered: 3 };
    expect(defaultScope(job, [UNREACHABLE, FAULT, UNCONFIRMED])).toBe('failed');
    expect(worthRetrying('failed', [UNREACHABLE, FAULT, UNCONFIRMED])).toBe(3);
    expect(defaultScope(job, [UNREACHABLE, { ...FAULT, failed: 0 }])).toBe('undelivered');
    expect(worthRetrying('undelivered', [UNREACHABLE, FAULT])).toBe(1);
  });

  it('is that of unconfirmed recipients only if there are no others', () => {
    expect(defaultScope({ failed: 5, unknown: 5, undelivered: 0 }, [UNCONFIRMED])).toBe('unknown');
    expect(worthRetrying('unknown', [UNREACHABLE, UNCONFIRMED])).toBe(5);
    expect(defaultScope({ failed: 9, unknown: 5, undelivered: 0 }, [UNREACHABLE, UNCONFIRMED])).toBe('failed');
    expect(worthRetrying('failed', [UNREACHABLE, UNCONFIRMED])).toBe(0);
  });
});
