import { inOptions, warningText, withoutOption } from './option-names';

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
    [
      'Other sheets with rows: "B". To read one of them, send its name as sheet.',
      '',
      'Other sheets with rows: "B". To read one of them, name it with --sheet.',
    ],
    ['sheet is "C", but the file has no such sheet.', 'sheet', '--sheet is "C", but the file has no such sheet.'],
    [
      'If this is wrong, send the row number of the header as headerRow.',
      '',
      'If this is wrong, give the row of the header with --header-row.',
    ],
    [
      'To send what you see, send the language of that program as cellLanguage, such as de, or save it.',
      '',
      'To send what you see, give the language of that program with --cell-language, such as de, or save it.',
    ],
    [
      'headerRow is 4, but that row of the file is empty.',
      'headerRow',
      '--header-row is 4, but that row of the file is empty.',
    ],
    ['The header is an image. Send headerMediaId or headerMediaUrl.', '', 'The header is an image. Set --media-url.'],
    [
      'to must be a phone number in international format, digits only: country code and number without + or spaces, such as 4915112345678.',
      'to',
      'The phone number must be a phone number with its country code, such as +49 151 12345678.',
    ],
    [
      'There is no template "x". If it was created in the platform\'s console, sync the templates first.',
      '',
      'There is no template "x". If it was created in the platform\'s console, run `messaging templates sync` first.',
    ],
    ['Read in the defaultCountry of the account.', 'to', 'Read in the defaultCountry of the account.'],
    ['Retry with skipRetried; an Idempotency-Key helps.', '', 'Retry with --skip-retried; an --idempotency-key helps.'],
  ])('%s', (message, field, expected) => {
    expect(inOptions(message, field)).toBe(expected);
  });
});

describe('A warning of the API in the words of the command line', () => {
  it.each([
    [
      'repeated_people: 2 rows are repeated. Send with onDuplicates=onePerPerson, or remove the rows.',
      '2 rows are repeated. Send with --one-per-person, or remove the rows.',
    ],
    ['duplicate_upload: job j-1 was created from the same file.', 'Job j-1 was created from the same file.'],
    ['2 recipients were left out: they opted out.', '2 recipients were left out: they opted out.'],
  ])('%s', (warning, expected) => {
    expect(warningText(warning)).toBe(expected);
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
