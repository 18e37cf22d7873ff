import { defaultScope, worthRetrying } from './retry-scope';

const UNREACHABLE = { errorCode: 'recipient_unreachable', retryable: true, failed: 4, undelivered: 2 } as const;
const FAULT = { errorCode: 'platform_fault', retryable: true, failed: 3, undelivered: 1 } as const;
const PERMANENT = { errorCode: 'recipient_blocked', retryable: false, failed: 2, undelivered: 1 } as const;
const UNCONFIRMED = { errorCode: 'outcome_unknown', retryable: true, failed: 5, undelivered: 0 } as const;

describe('The scope of a retry', () => {
  it('is the first with recipients that the same message may reach, whose number the button shows', () => {
    expect(defaultScope([UNREACHABLE, FAULT, UNCONFIRMED])).toBe('failed');
    expect(worthRetrying('failed', [UNREACHABLE, FAULT, UNCONFIRMED])).toBe(3);
    expect(defaultScope([UNREACHABLE, { ...FAULT, failed: 0 }])).toBe('undelivered');
    expect(worthRetrying('undelivered', [UNREACHABLE, FAULT])).toBe(1);
  });

  it('is that of unconfirmed recipients if no others are worth it, as no retry reaches permanent failures', () => {
    expect(defaultScope([PERMANENT, UNCONFIRMED])).toBe('unknown');
    expect(defaultScope([UNREACHABLE, UNCONFIRMED])).toBe('unknown');
    expect(worthRetrying('unknown', [UNREACHABLE, UNCONFIRMED])).toBe(5);
  });

  it('has recipients that can be retried if none are worth it', () => {
    expect(defaultScope([PERMANENT, UNREACHABLE])).toBe('failed');
    expect(defaultScope([PERMANENT, { ...UNREACHABLE, failed: 0 }])).toBe('undelivered');
    expect(worthRetrying('failed', [PERMANENT, UNREACHABLE])).toBe(0);
    expect(defaultScope([PERMANENT])).toBe('failed');
  });
});
