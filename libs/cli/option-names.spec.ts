import { inOptions, withoutOption } from './option-names';

describe('A message of the API in the words of the command line', () => {
  it.each([
    [
      'scheduledAt must be a time, such as 09:30 with `timeZone`.',
      '',
      '--at must be a time, such as 09:30 with `--time-zone`.',
    ],
    [
      'to looks like a national number: send to all.',
      'to',
      'The phone number looks like a national number: send to all.',
    ],
    ['columns.phone is required.', 'columns.phone', '--columns: phone is required.'],
    ['columns must be an object.', 'columns', '--columns must be an object.'],
    ['templateParameters[1].text is required.', 'templateParameters[1].text', 'Value 2 is required.'],
    ['The header is an image. Send headerMediaId or headerMediaUrl.', '', 'The header is an image. Set --media-url.'],
    ['Read in the defaultCountry of the account.', 'to', 'Read in the defaultCountry of the account.'],
    ['Retry with skipRetried; an Idempotency-Key helps.', '', 'Retry with --skip-retried; an --idempotency-key helps.'],
  ])('%s', (message, field, expected) => {
    expect(inOptions(message, field)).toBe(expected);
  });
});

describe('What a template needs and no option gives', () => {
  it.each([
    ['extras_mismatch', 'products is required: the products of the list.', ['products']],
    ['extras_mismatch', 'flow does not belong to this template. Remove it.', []],
    ['template_not_supported', 'It has a location header. Send headerLocation with latitude.', ['headerLocation']],
    ['template_not_supported', 'It has parts that cannot be sent (order details button).', []],
    ['validation_failed', 'cards is required.', []],
  ])('of %s: %s', (code, message, needs) => {
    expect(withoutOption({ code, message })).toEqual(needs);
  });
});
