import type { FieldError } from '../../../kernel/domain-error';
import { checkButtons, checkProductButtons } from './button-rules';
import { checkCards, checkOffer, EXAMPLE_HANDLE_HINT } from './carousel-rules';
import { FieldErrors } from './field-errors';
import { checkBody, checkPlaceholders, checkText } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { HeaderDraft, TemplateDraft } from './template-draft';
import type { ParameterFormat } from './template-components';
import { errorOfValue } from './value-error';
import { maxBodyLength } from './value-limits';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;
const MAX_LENGTH = { header: 60, footer: 60 };
const MAX_HANDLE_LENGTH = 4096;
/** In seconds; Authentication and Utility also accept -1, which means 30 days. */
const TTL_RANGES: Record<TemplateCategory, readonly [number, number]> = {
  Authentication: [30, 900],
  Utility: [30, 43_200],
  Marketing: [43_200, 2_592_000],
};
const MAX_CODE_MINUTES = 90;

/** Checks a draft against the known rules of the platform: one error per field. */
export function errorsOfDraft(draft: TemplateDraft): FieldError[] {
  const errors = new FieldErrors();
  if (!NAME.test(draft.name)) {
    errors.add('name', 'invalid_format', 'must be 1 to 512 lower case letters, digits and underscores.');
  }
  if (!LANGUAGE.test(draft.languageCode)) {
    errors.add('languageCode', 'invalid_format', 'must be a platform language code, such as en_US or de.');
  }
  checkTimeToLive(errors, draft);
  if (draft.category === 'Authentication') checkAuthentication(errors, draft);
  else checkFreeText(errors, draft);
  return errors.all;
}

/** The only rule for an edit without contents. */
export function errorsOfTimeToLive(draft: Pick<TemplateDraft, 'category' | 'messageTtlSeconds'>): FieldError[] {
  const errors = new FieldErrors();
  checkTimeToLive(errors, draft);
  return errors.all;
}

function checkTimeToLive(
  errors: FieldErrors,
  { category, messageTtlSeconds: seconds }: Pick<TemplateDraft, 'category' | 'messageTtlSeconds'>,
): void {
  if (seconds === undefined) return;
  const [min, max] = TTL_RANGES[category];
  const isThirtyDays = seconds === -1 && category !== 'Marketing';
  if (isThirtyDays || (seconds >= min && seconds <= max)) return;
  const or = category === 'Marketing' ? '' : ', or -1 for 30 days,';
  errors.add('messageTtlSeconds', 'out_of_range', `must be from ${min} to ${max}${or} for category ${category}.`);
}

function checkFreeText(errors: FieldErrors, draft: TemplateDraft): void {
  const { header, body, footer, buttons = [], category, parameterFormat } = draft;
  if (header) checkHeader(errors, header, parameterFormat);
  const maxLength = maxBodyLength(header?.format ?? 'None', draft.offer !== undefined);
  if (body) checkBody(errors, 'body', body, parameterFormat, maxLength);
  else errors.add('body', 'required', 'is required.');
  if (footer) {
    checkText(errors, 'footer.text', footer.text, { maxLength: MAX_LENGTH.footer, lines: 'one' });
    if (/\{\{|\}\}/.test(footer.text))
      errors.add('footer.text', 'placeholder_not_allowed', 'must not contain a placeholder.');
  }
  checkButtons(errors, buttons, category);
  checkProductButtons(errors, buttons, header?.format);
  if (draft.offer) checkOffer(errors, draft);
  if (draft.cards) checkCards(errors, draft);
  for (const field of ['addSecurityRecommendation', 'codeExpirationMinutes'] as const) {
    if (draft[field] !== undefined)
      errors.add(field, 'not_allowed', 'is only for the category Authentication. Remove it.');
  }
}

function checkHeader(errors: FieldErrors, header: HeaderDraft, parameterFormat: ParameterFormat): void {
  const { format, text, example, exampleHandle } = header;
  const notAllowed = (name: 'text' | 'example' | 'exampleHandle') => {
    if (header[name] !== undefined) {
      errors.add(`header.${name}`, 'not_allowed', `does not belong to a header of format ${format}. Remove it.`);
    }
  };
  if (format === 'Text') {
    notAllowed('exampleHandle');
    return checkHeaderText(errors, text, example, parameterFormat);
  }
  notAllowed('text');
  notAllowed('example');
  if (format === 'Location' || format === 'Product') return notAllowed('exampleHandle');
  if (exampleHandle === undefined || exampleHandle.trim() === '') {
    errors.add('header.exampleHandle', 'required', EXAMPLE_HANDLE_HINT);
  } else if (exampleHandle.length > MAX_HANDLE_LENGTH || /[\s\p{Cc}]/u.test(exampleHandle)) {
    errors.add('header.exampleHandle', 'invalid_format', 'must be the handle returned by an upload.');
  }
}

function checkHeaderText(
  errors: FieldErrors,
  text: string | undefined,
  example: string | undefined,
  parameterFormat: ParameterFormat,
): void {
  checkText(errors, 'header.text', text, { maxLength: MAX_LENGTH.header, lines: 'one' });
  if (text === undefined || errors.has('header.text')) return;
  const placeholders = checkPlaceholders(errors, 'header.text', text, parameterFormat);
  if (!placeholders) return;
  if (placeholders.length > 1) {
    return errors.add('header.text', 'too_many_placeholders', 'may contain at most one placeholder.');
  }
  if (placeholders.length === 0) {
    if (example !== undefined) {
      errors.add('header.example', 'examples_mismatch', 'is only for a text with a placeholder. Remove it.');
    }
    return;
  }
  if (example === undefined)
    return errors.add('header.example', 'required', 'is required: a value for the placeholder.');
  const error = errorOfValue(example);
  if (error) errors.add('header.example', error.code, error.message);
}

/** The platform provides the text; the draft only determines how the password is delivered. */
function checkAuthentication(errors: FieldErrors, draft: TemplateDraft): void {
  for (const part of ['header', 'body', 'footer', 'offer', 'cards'] as const) {
    if (draft[part] !== undefined) {
      errors.add(part, 'not_allowed', 'is provided by the platform for the category Authentication. Remove it.');
    }
  }
  if (draft.callPermissionRequest !== undefined) {
    errors.add('callPermissionRequest', 'not_allowed', 'is only for the categories Marketing and Utility. Remove it.');
  }
  if (draft.parameterFormat === 'Named') {
    errors.add('parameterFormat', 'not_allowed', 'must be Positional for the category Authentication.');
  }
  const { buttons = [], codeExpirationMinutes: minutes } = draft;
  if (minutes !== undefined && (minutes < 1 || minutes > MAX_CODE_MINUTES)) {
    errors.add('codeExpirationMinutes', 'out_of_range', `must be from 1 to ${MAX_CODE_MINUTES}.`);
  }
  if (buttons.length !== 1) errors.add('buttons', 'wrong_length', 'must be exactly one Otp button.');
  checkButtons(errors, buttons, 'Authentication');
}
