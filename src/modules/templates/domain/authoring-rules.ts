import type { FieldFault } from '../../../kernel/domain-error';
import { checkButtons } from './button-rules';
import { FieldFaults } from './field-faults';
import { checkBalance, checkExamples, checkPlaceholders, checkText } from './placeholder-rules';
import type { TemplateCategory } from './template';
import type { BodyDraft, HeaderDraft, TemplateDraft } from './template-draft';
import type { ParameterFormat } from './template-components';
import { faultOfValue } from './value-fault';

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
const EXAMPLE_HANDLE_HINT = 'is required: the handle of an example that was uploaded with purpose TemplateExample.';

/** Everything that the platform would refuse, as far as its rules are known: one fault for each field. */
export function faultsOfDraft(draft: TemplateDraft): FieldFault[] {
  const faults = new FieldFaults();
  if (!NAME.test(draft.name)) {
    faults.add('name', 'invalid_format', 'must be 1 to 512 lower case letters, digits and underscores.');
  }
  if (!LANGUAGE.test(draft.languageCode)) {
    faults.add('languageCode', 'invalid_format', 'must be a language of the platform, such as en_US or de.');
  }
  checkTimeToLive(faults, draft);
  if (draft.category === 'Authentication') checkAuthentication(faults, draft);
  else checkFreeText(faults, draft);
  return faults.all;
}

/** The one rule that an edit without contents has to keep. */
export function faultsOfTimeToLive(draft: Pick<TemplateDraft, 'category' | 'messageTtlSeconds'>): FieldFault[] {
  const faults = new FieldFaults();
  checkTimeToLive(faults, draft);
  return faults.all;
}

function checkTimeToLive(
  faults: FieldFaults,
  { category, messageTtlSeconds: seconds }: Pick<TemplateDraft, 'category' | 'messageTtlSeconds'>,
): void {
  if (seconds === undefined) return;
  const [least, most] = TTL_RANGES[category];
  const isThirtyDays = seconds === -1 && category !== 'Marketing';
  if (isThirtyDays || (seconds >= least && seconds <= most)) return;
  const or = category === 'Marketing' ? '' : ', or -1 for 30 days,';
  faults.add('messageTtlSeconds', 'out_of_range', `must be from ${least} to ${most}${or} for category ${category}.`);
}

function checkFreeText(faults: FieldFaults, draft: TemplateDraft): void {
  const { header, body, footer, buttons = [], category, parameterFormat } = draft;
  if (header) checkHeader(faults, header, parameterFormat);
  if (body) checkBody(faults, body, parameterFormat);
  else faults.add('body', 'required', 'is required.');
  if (footer) {
    checkText(faults, 'footer.text', footer.text, { longest: LONGEST.footer, lines: 'one' });
    if (/\{\{|\}\}/.test(footer.text)) faults.add('footer.text', 'placeholder_not_allowed', 'takes no placeholder.');
  }
  checkButtons(faults, buttons, category);
  for (const field of ['addSecurityRecommendation', 'codeExpirationMinutes'] as const) {
    if (draft[field] !== undefined) faults.add(field, 'not_allowed', 'is for the category Authentication. Remove it.');
  }
}

function checkHeader(faults: FieldFaults, header: HeaderDraft, parameterFormat: ParameterFormat): void {
  const { format, text, example, exampleHandle } = header;
  const notAllowed = (name: 'text' | 'example' | 'exampleHandle') => {
    if (header[name] !== undefined) {
      faults.add(`header.${name}`, 'not_allowed', `does not belong to a header of format ${format}. Remove it.`);
    }
  };
  if (format === 'Text') {
    notAllowed('exampleHandle');
    return checkHeaderText(faults, text, example, parameterFormat);
  }
  notAllowed('text');
  notAllowed('example');
  if (format === 'Location') return notAllowed('exampleHandle');
  if (exampleHandle === undefined || exampleHandle.trim() === '') {
    faults.add('header.exampleHandle', 'required', EXAMPLE_HANDLE_HINT);
  } else if (exampleHandle.length > LONGEST_HANDLE || /[\s\p{Cc}]/u.test(exampleHandle)) {
    faults.add('header.exampleHandle', 'invalid_format', 'must be a handle as the upload answered it.');
  }
}

function checkHeaderText(
  faults: FieldFaults,
  text: string | undefined,
  example: string | undefined,
  parameterFormat: ParameterFormat,
): void {
  checkText(faults, 'header.text', text, { longest: LONGEST.header, lines: 'one' });
  if (text === undefined || faults.has('header.text')) return;
  const placeholders = checkPlaceholders(faults, 'header.text', text, parameterFormat);
  if (!placeholders) return;
  if (placeholders.length > 1) {
    return faults.add('header.text', 'too_many_placeholders', 'takes at most one placeholder.');
  }
  if (placeholders.length === 0) {
    if (example !== undefined) {
      faults.add('header.example', 'examples_mismatch', 'is for a text with a placeholder. Remove it.');
    }
    return;
  }
  if (example === undefined)
    return faults.add('header.example', 'required', 'is required: a value for the placeholder.');
  const fault = faultOfValue(example);
  if (fault) faults.add('header.example', fault.code, fault.message);
}

function checkBody(faults: FieldFaults, { text, examples }: BodyDraft, parameterFormat: ParameterFormat): void {
  checkText(faults, 'body.text', text, { longest: LONGEST.body, lines: 'many' });
  if (faults.has('body.text')) return;
  const placeholders = checkPlaceholders(faults, 'body.text', text, parameterFormat);
  if (!placeholders) return;
  checkBalance(faults, 'body.text', text, placeholders);
  checkExamples(faults, 'body.examples', examples ?? undefined, placeholders, parameterFormat);
}

/** Its text is the platform's; the author chooses how the password is handed over. */
function checkAuthentication(faults: FieldFaults, draft: TemplateDraft): void {
  for (const part of ['header', 'body', 'footer'] as const) {
    if (draft[part] !== undefined) {
      faults.add(part, 'not_allowed', 'is written by the platform for the category Authentication. Remove it.');
    }
  }
  if (draft.parameterFormat === 'Named') {
    faults.add('parameterFormat', 'not_allowed', 'must be Positional for the category Authentication.');
  }
  const { buttons = [], codeExpirationMinutes: minutes } = draft;
  if (minutes !== undefined && (minutes < 1 || minutes > LONGEST_CODE_MINUTES)) {
    faults.add('codeExpirationMinutes', 'out_of_range', `must be from 1 to ${LONGEST_CODE_MINUTES}.`);
  }
  if (buttons.length !== 1) faults.add('buttons', 'wrong_length', 'must be exactly one Otp button.');
  checkButtons(faults, buttons, 'Authentication');
}
