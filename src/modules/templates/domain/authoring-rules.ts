import type { FieldError } from '../../../kernel/domain-error';
import { checkButtons } from './button-rules';
import { FieldErrors } from './field-errors';
import { checkBalance, checkExamples, checkPlaceholders, checkText } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { BodyDraft, HeaderDraft, TemplateDraft } from './template-draft';
import type { ParameterFormat } from './template-components';
import { errorOfValue } from './value-error';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;
const LONGEST = { header: 60, body: 1024, footer: 60 };
const LONGEST_HANDLE = 4096;
/** Seconds; Authentication and Utility also take -1, which means 30 days. */
const TTL_RANGES: Record<TemplateCategory, readonly [number, number]> = {
  Authentication: [30, 900],
  Utility: [30, 43_200],
  Marketing: [43_200, 2_592_000],
};
const LONGEST_CODE_MINUTES = 90;
const EXAMPLE_HANDLE_HINT = 'is required: the handle of an example uploaded with purpose TemplateExample.';

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
  const [least, most] = TTL_RANGES[category];
  const isThirtyDays = seconds === -1 && category !== 'Marketing';
  if (isThirtyDays || (seconds >= least && seconds <= most)) return;
  const or = category === 'Marketing' ? '' : ', or -1 for 30 days,';
  errors.add('messageTtlSeconds', 'out_of_range', `must be from ${least} to ${most}${or} for category ${category}.`);
}

function checkFreeText(errors: FieldErrors, draft: TemplateDraft): void {
  const { header, body, footer, buttons = [], category, parameterFormat } = draft;
  if (header) checkHeader(errors, header, parameterFormat);
  if (body) checkBody(errors, body, parameterFormat);
  else errors.add('body', 'required', 'is required.');
  if (footer) {
    checkText(errors, 'footer.text', footer.text, { longest: LONGEST.footer, lines: 'one' });
    if (/\{\{|\}\}/.test(footer.text))
      errors.add('footer.text', 'placeholder_not_allowed', 'must not contain a placeholder.');
  }
  checkButtons(errors, buttons, category);
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
  if (format === 'Location') return notAllowed('exampleHandle');
  if (exampleHandle === undefined || exampleHandle.trim() === '') {
    errors.add('header.exampleHandle', 'required', EXAMPLE_HANDLE_HINT);
  } else if (exampleHandle.length > LONGEST_HANDLE || /[\s\p{Cc}]/u.test(exampleHandle)) {
    errors.add('header.exampleHandle', 'invalid_format', 'must be the handle returned by an upload.');
  }
}

function checkHeaderText(
  errors: FieldErrors,
  text: string | undefined,
  example: string | undefined,
  parameterFormat: ParameterFormat,
): void {
  checkText(errors, 'header.text', text, { longest: LONGEST.header, lines: 'one' });
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

function checkBody(errors: FieldErrors, { text, examples }: BodyDraft, parameterFormat: ParameterFormat): void {
  checkText(errors, 'body.text', text, { longest: LONGEST.body, lines: 'many' });
  if (errors.has('body.text')) return;
  const placeholders = checkPlaceholders(errors, 'body.text', text, parameterFormat);
  if (!placeholders) return;
  checkBalance(errors, 'body.text', text, placeholders);
  checkExamples(errors, 'body.examples', examples ?? undefined, placeholders, parameterFormat);
}

/** The platform provides the text; the author only chooses how the password is delivered. */
function checkAuthentication(errors: FieldErrors, draft: TemplateDraft): void {
  for (const part of ['header', 'body', 'footer'] as const) {
    if (draft[part] !== undefined) {
      errors.add(part, 'not_allowed', 'is provided by the platform for the category Authentication. Remove it.');
    }
  }
  if (draft.parameterFormat === 'Named') {
    errors.add('parameterFormat', 'not_allowed', 'must be Positional for the category Authentication.');
  }
  const { buttons = [], codeExpirationMinutes: minutes } = draft;
  if (minutes !== undefined && (minutes < 1 || minutes > LONGEST_CODE_MINUTES)) {
    errors.add('codeExpirationMinutes', 'out_of_range', `must be from 1 to ${LONGEST_CODE_MINUTES}.`);
  }
  if (buttons.length !== 1) errors.add('buttons', 'wrong_length', 'must be exactly one Otp button.');
  checkButtons(errors, buttons, 'Authentication');
}
