import { knownPlatformCodes, platformErrorMeaning } from './error-table';

describe('platformErrorMeaning', () => {
  it.each([
    [131026, 'recipient', 'recipient_unreachable'],
    [131049, 'recipient', 'marketing_limit_reached'],
    [131050, 'recipient', 'marketing_stopped'],
    [132000, 'message', 'parameter_count_mismatch'],
    [132018, 'message', 'parameter_invalid'],
    [132001, 'job', 'template_missing'],
    [132015, 'job', 'template_paused'],
    [190, 'job', 'platform_credentials_invalid'],
    [0, 'job', 'platform_credentials_invalid'],
    [131042, 'job', 'payment_problem'],
    [131048, 'job', 'spam_limit_reached'],
    [131055, 'job', 'marketing_template_required'],
    [131064, 'throttle', 'template_misclassified'],
    [134101, 'throttle', 'template_still_syncing'],
    [131035, 'recipient', 'message_expired'],
    [131036, 'recipient', 'message_expired'],
    [2046, 'message', 'parameter_invalid'],
    [2047, 'message', 'parameter_invalid'],
    [131061, 'message', 'platform_rejected'],
    [132008, 'message', 'parameter_format_mismatch'],
    [132021, 'message', 'template_name_taken'],
    [134103, 'job', 'marketing_api_unavailable'],
    [139200, 'job', 'permission_missing'],
    [2388318, 'message', 'template_generated'],
    [2388330, 'message', 'template_generated'],
    [130429, 'throttle', 'throughput_exceeded'],
    [131056, 'throttle', 'pair_rate_limited'],
    [4, 'throttle', 'app_rate_limited'],
    [80007, 'throttle', 'account_rate_limited'],
    [131000, 'outage', 'platform_fault'],
    [131016, 'outage', 'platform_overloaded'],
    [131057, 'outage', 'account_in_maintenance'],
  ])('classifies %i as %s: %s', (code, kind, problem) => {
    expect(platformErrorMeaning({ code })).toMatchObject({ class: kind, problem });
  });

  it('uses the code, not the HTTP status', () => {
    expect(platformErrorMeaning({ code: 131026, httpStatus: 500 }).class).toBe('recipient');
    expect(platformErrorMeaning({ code: 130429, httpStatus: 400 }).class).toBe('throttle');
  });

  it.each([200, 219, 299])('classifies %i as a missing permission', (code) => {
    expect(platformErrorMeaning({ code })).toMatchObject({ class: 'job', problem: 'permission_missing' });
  });

  it('uses the subcode of code 100 for unknown objects and template errors', () => {
    expect(platformErrorMeaning({ code: 100 })).toMatchObject({ class: 'message', problem: 'parameter_invalid' });
    expect(platformErrorMeaning({ code: 100, subcode: 33 })).toMatchObject({ class: 'job', problem: 'object_unknown' });
    expect(platformErrorMeaning({ code: 100, subcode: 2388024 }).problem).toBe('template_name_taken');
    expect(platformErrorMeaning({ code: 190, subcode: 33 }).problem).toBe('platform_credentials_invalid');
    expect(platformErrorMeaning({ code: 33 }).problem).toBe('sender_deleted');
  });

  it.each([
    [{ code: 999_999, httpStatus: 500 }, 'outage'],
    [{ code: 999_999, httpStatus: 400, transient: true }, 'outage'],
    [{ code: 999_999, httpStatus: 429 }, 'throttle'],
    [{ code: 999_999, httpStatus: 401 }, 'job'],
    [{ code: 999_999, httpStatus: 403 }, 'job'],
    [{ code: 999_999, httpStatus: 400 }, 'message'],
    [{ code: 999_999 }, 'message'],
  ])('classifies an unknown code by its other attributes: %j is %s', (error, kind) => {
    expect(platformErrorMeaning(error).class).toBe(kind);
  });

  it('has a stable code and a sentence for every documented error', () => {
    const codes = knownPlatformCodes();
    expect(codes.length).toBeGreaterThan(75);
    for (const code of codes) {
      const { problem, meaning } = platformErrorMeaning({ code });
      expect(problem).toMatch(/^[a-z][a-z_]+$/);
      expect(meaning).toMatch(/^[A-Z].{10,}\.$/);
    }
  });
});
