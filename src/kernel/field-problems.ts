import type { Explanation } from './explanation';
import { SHARED_EXPLANATIONS } from './shared-explanations';

/** Every code of a field or row error: the closed list of `errors[].code`. */
export const FIELD_PROBLEMS = {
  required: { when: 'The field is missing, null or empty.', remedy: 'Send it.' },
  unknown_field: {
    when: 'The field does not exist.',
    remedy: 'Check its spelling, or remove it. `message` suggests a similar field.',
  },
  wrong_type: {
    when: 'The value has the wrong JSON type, such as a number instead of a string.',
    remedy: 'Send the documented type. Phone numbers are strings: quote them.',
  },
  invalid_format: {
    when: 'The text does not have the format of the field.',
    remedy: 'Write it as `message` shows.',
  },
  invalid_id: { when: 'The value is not a UUID.', remedy: 'Send an id as returned by the service.' },
  invalid_characters: {
    when: 'The text has control characters or unpaired surrogates.',
    remedy: 'Remove them, or type the text again.',
  },
  invalid: { when: 'The value breaks the rule in `message`.', remedy: 'Correct it as `message` says.' },
  not_allowed: {
    when: 'The value is not allowed, or the field conflicts with another one.',
    remedy: 'Send one of the values in `message`, or remove the field.',
  },
  out_of_range: { when: 'The number is too small or too large.', remedy: 'Stay within the limits in `message`.' },
  too_short: { when: 'The text has too few characters.', remedy: 'Extend it to the limit in `message`.' },
  too_long: { when: 'The text has too many characters.', remedy: 'Shorten it to the limit in `message`.' },
  wrong_length: { when: 'The text or list is too short or too long.', remedy: 'Stay within the limits in `message`.' },
  too_few: { when: 'The list has too few items.', remedy: 'Add items.' },
  too_many: { when: 'The list, or the whole body, has too many items.', remedy: 'Split the request.' },
  too_deep: { when: 'Objects and lists are nested too deeply.', remedy: 'Send what the documentation shows.' },
  not_unique: { when: 'The list contains a duplicate.', remedy: 'Remove the duplicate.' },
  empty: { when: 'The value is empty; the platform does not accept empty values.', remedy: 'Fill it in.' },
  line_break: {
    when: 'The text has a line break, which the platform does not accept.',
    remedy: 'Write it in one line.',
  },
  tab: { when: 'The value has a tab, which the platform does not accept.', remedy: 'Replace it with a space.' },
  too_many_spaces: { when: 'The value has more than 4 spaces in a row.', remedy: 'Remove some.' },
  text_too_long: SHARED_EXPLANATIONS.text_too_long,
  phone_missing: {
    when: 'The row, or the contact, has no phone number.',
    remedy: 'Fill in the number, or remove the row.',
  },
  phone_invalid: {
    when: 'The text is not a valid phone number.',
    remedy: 'Write the number in international format with its country code, for example 4915112345678.',
  },
  phone_scientific_notation: {
    when: 'A spreadsheet program rounded the number and lost digits.',
    remedy: 'Format the column as text, enter the number again and save the file.',
  },
  parameter_missing: SHARED_EXPLANATIONS.parameter_missing,
  parameter_too_long: { when: 'A value is longer than 1,024 characters.', remedy: 'Shorten it.' },
  parameter_invalid_characters: {
    when: 'A value has control characters or unpaired surrogates.',
    remedy: 'Type it again.',
  },
  formula_without_value: {
    when: 'A formula results in an error, or was never calculated.',
    remedy:
      'Open the file in a spreadsheet program, correct the formula or replace it with its value, and save the file.',
  },
  too_many_columns: {
    when: 'A filled cell has no matching value in the template.',
    remedy: 'Clear the cell, or choose the right template.',
  },
  contact_invalid: { when: 'A contact of the list is not an object.', remedy: 'Send `{"phone": "…"}`.' },
  name_invalid: {
    when: 'The name of the contact is too long, or has control characters or unpaired surrogates.',
    remedy: 'Correct it as `message` says.',
  },
  user_id_invalid: {
    when: 'The text is not a platform user id.',
    remedy: 'Send it as reported by the platform, such as US.13491208655302741918.',
  },
  recipient_ids_differ: {
    when: 'The user id of the row belongs to another person than its phone number.',
    remedy: 'Correct one of the two, or clear one of the cells.',
  },
  user_id_taken: { when: 'Another contact has this user id.', remedy: 'Change that contact instead.' },
  parameters_invalid: { when: 'The parameters of the contact are not an object.', remedy: 'Send `{"1": "Anna"}`.' },
  parameter_key_invalid: {
    when: 'A parameter key is not a placeholder number.',
    remedy: 'Use "1", "2", … up to "999".',
  },
  parameter_invalid: SHARED_EXPLANATIONS.parameter_invalid,
  recipient_id_not_allowed: SHARED_EXPLANATIONS.recipient_id_not_allowed,
  attributes_invalid: {
    when: 'The attributes of the contact are not an object.',
    remedy: 'Send `{"City": "Berlin"}`.',
  },
  attribute_name_invalid: {
    when: 'The name of an attribute is empty, longer than 60 characters or more than one line, or has spaces around it.',
    remedy: 'Correct it as `message` says.',
  },
  attribute_invalid: {
    when: 'The value of an attribute is empty, longer than 1,024 characters or has characters that the platform does not accept.',
    remedy: 'Correct it as `message` says, or leave the attribute out.',
  },
  too_many_attributes: { when: 'A contact has more than 50 attributes.', remedy: 'Keep those that messages need.' },
  extras_invalid: {
    when: 'The header media, payloads, flow or cards of the recipient do not match the template.',
    remedy: 'Correct them as `message` says.',
  },
  keyword_invalid: { when: 'The keyword has no letter or digit, or is too long.', remedy: 'Choose another one.' },
  keyword_in_both: { when: 'The keyword is in both lists.', remedy: 'Remove it from one of the lists.' },
  keyword_repeated: { when: 'The keyword is already in the list.', remedy: 'Remove the duplicate.' },
  braces_unbalanced: { when: 'The text has unbalanced braces.', remedy: 'Write {{1}} or {{first_name}}.' },
  placeholder_invalid: {
    when: "A placeholder does not match the template's format, or is not allowed at this place.",
    remedy: 'Write it as `message` says.',
  },
  placeholder_repeated: { when: 'A named placeholder occurs twice.', remedy: 'Give each a unique name.' },
  placeholders_not_sequential: {
    when: 'The placeholder numbers have a gap.',
    remedy: 'Number them {{1}}, {{2}}, ….',
  },
  placeholders_adjacent: { when: 'Two placeholders are adjacent.', remedy: 'Put words between them.' },
  placeholder_at_edge: { when: 'The body begins or ends with a placeholder.', remedy: 'Put words around it.' },
  placeholder_not_allowed: { when: 'This text may have no placeholder.', remedy: 'Remove it.' },
  too_many_placeholders: {
    when: 'The text has more placeholders than its length allows.',
    remedy: 'Add words or remove placeholders.',
  },
  examples_mismatch: {
    when: 'The examples do not match the placeholders of the text.',
    remedy: 'Send one example for each placeholder, and none otherwise.',
  },
  not_contiguous: {
    when: 'Buttons of type QuickReply are not adjacent.',
    remedy: 'Group the buttons by type.',
  },
  template_duplicate: {
    when: 'Another template of the account has the same text in the same language.',
    remedy: 'Use that template, or change the text.',
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** The code of a field or row error. */
export type FieldCode = keyof typeof FIELD_PROBLEMS;
