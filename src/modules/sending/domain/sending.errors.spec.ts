import { MessageRejectedError } from './sending.errors';

describe('The refusal of a single send', () => {
  const refusalOf = (code: string, message: string) =>
    new MessageRejectedError({ code, message, platformCode: 1 }, 'm-1').message;

  it.each([
    [
      'recipient_unreachable',
      '(#131026) Message undeliverable',
      'The platform refused the message: (#131026) Message undeliverable. Check the phone number, or contact the person in ' +
        'another way.',
    ],
    [
      'payment_problem',
      'Unpaid.',
      "The platform refused the message: Unpaid. Correct the payment method in the platform's business settings, then " +
        'send the message again.',
    ],
    ['template_missing', 'No.', 'The platform refused the message: No. Sync the templates.'],
    ['recipient_is_sender', 'No.', 'The platform refused the message: No. Choose another recipient.'],
  ])('says what to do: %s', (code, message, expected) => {
    expect(refusalOf(code, message)).toBe(expected);
  });

  it.each(['platform_rejected', 'platform_overloaded', 'of_a_newer_version'])('says no more than: %s', (code) => {
    expect(refusalOf(code, 'No')).toBe('The platform refused the message: No');
  });
});
