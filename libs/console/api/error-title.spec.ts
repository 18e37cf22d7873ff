import { errorTitle, hasPlatformCode, isSelfExplanatory } from './error-title';

describe('The title of an error', () => {
  it.each([
    ['phone_invalid', 'Phone number invalid'],
    ['parameter_missing', 'Value missing'],
    ['recipient_unreachable', 'Recipient unreachable'],
    ['platform_rejected', 'Rejected by WhatsApp'],
  ])('of %s is %s everywhere', (code, title) => {
    expect(errorTitle(code)).toBe(title);
  });

  it('is a reason of its own where it is plainer than the code', () => {
    expect(['phone_invalid', 'platform_fault', 'recipient_unreachable'].map(isSelfExplanatory)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('stands for messages that start with a code of the platform', () => {
    expect(hasPlatformCode('(#131026) Message undeliverable')).toBe(true);
    expect(hasPlatformCode('The contact has no attribute.')).toBe(false);
  });
});
