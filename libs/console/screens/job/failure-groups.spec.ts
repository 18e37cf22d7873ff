import { EXPLAINED_CODES } from '../../api/explanations';
import { FAILURE_GROUPS, groupOf, inGroups, isWorthRetrying, worthwhileCodes } from './failure-groups';

describe('The groups of failures', () => {
  it('contain every code that is explained', () => {
    expect(EXPLAINED_CODES.filter((code) => groupOf(code) === null)).toEqual([]);
  });

  it('come in the order of what is worth doing, without empty ones', () => {
    const failures = [
      { errorCode: 'opted_out', retryable: false },
      { errorCode: 'phone_invalid', retryable: false },
      { errorCode: 'payment_problem', retryable: true },
    ];
    expect(inGroups(failures).map(({ group, failures: [first] }) => [group, first?.errorCode])).toEqual([
      ['correct', 'phone_invalid'],
      ['account', 'payment_problem'],
      ['nothing', 'opted_out'],
    ]);
    expect(FAILURE_GROUPS).toHaveLength(4);
  });

  it('decide whether the same message is worth repeating', () => {
    const codes = ['recipient_unreachable', 'recipient_blocked', 'marketing_limit_reached', 'payment_problem'];
    const worth = codes.filter((errorCode) => isWorthRetrying({ errorCode, retryable: true }));
    expect(worth).toEqual(['marketing_limit_reached', 'payment_problem']);
    expect(isWorthRetrying({ errorCode: 'payment_problem', retryable: false })).toBe(false);
  });

  it('name the codes to retry first, if others would probably fail again', () => {
    const [later, correct] = ['platform_fault', 'recipient_unreachable'].map((errorCode) => ({
      errorCode,
      retryable: true,
    }));
    const final = { errorCode: 'phone_invalid', retryable: false };
    expect(worthwhileCodes([later!, correct!, final])).toEqual(['platform_fault']);
    expect([worthwhileCodes([later!, final]), worthwhileCodes([correct!, final])]).toEqual([null, null]);
  });

  it('take codes of a newer service by whether they can be retried', () => {
    const failures = [true, false].map((retryable) => ({ errorCode: `new_${retryable}`, retryable }));
    expect(inGroups(failures).map(({ group }) => group)).toEqual(['later', 'account']);
  });
});
