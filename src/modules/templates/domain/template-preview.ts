import type { FieldError } from '../../../kernel/domain-error';
import { SendableTemplate, TEMPLATE_VALUE_CODES } from './sendable-template';
import type { Template } from './template';
import type { HeaderFormat, TemplateButton } from './template-components';
import type { TemplateExtras } from './template-extras';
import {
  ExtrasMismatchError,
  LocationMissingError,
  PayloadMismatchError,
  TemplateNotApprovedError,
  TemplateNotSupportedError,
} from './templates.errors';
import { fillText, URL_VARIABLE, valuesOf } from './value-slots';

/** Codes of the problems of a preview. */
export const PREVIEW_CODES = [
  'template_not_approved',
  'template_not_supported',
  'parameter_mismatch',
  'media_mismatch',
  'extras_mismatch',
  ...TEMPLATE_VALUE_CODES,
] as const;
export type PreviewProblem = FieldError<(typeof PREVIEW_CODES)[number]>;

/** A filled-in button; `code`: of a coupon or one-time password. */
export interface PreviewButton extends TemplateButton {
  code: string | null;
}

/** A template filled in as far as possible, and all reasons why it cannot be sent with these values. */
export interface TemplatePreview {
  renderedText: string;
  header: { format: HeaderFormat; text: string | null };
  body: string;
  footer: string | null;
  buttons: PreviewButton[];
  problems: PreviewProblem[];
}

/** Fills in a template; a placeholder without a value stays. */
export function previewOf(
  template: Template,
  values: readonly string[],
  extras: TemplateExtras | null,
  now: Date,
): TemplatePreview {
  const { components } = template;
  const { parameterFormat, headerFormat, headerText, bodyText, footerText } = components;
  const { slots, buttons: filled } = valuesOf(components);
  const fillPart = (part: 'header' | 'body', text: string) =>
    fillText(text, parameterFormat, (placeholder) => {
      return values[slots.findIndex((slot) => slot.part === part && slot.placeholder === placeholder)];
    });
  return {
    renderedText: new SendableTemplate(template).render(values),
    header: { format: headerFormat, text: headerText === null ? null : fillPart('header', headerText) },
    body: fillPart('body', bodyText),
    footer: footerText,
    buttons: components.buttons.map((button, index) => {
      const filledIn = filled.find((one) => one.card === undefined && one.index === index);
      return filledButton(button, filledIn === undefined ? undefined : values[filledIn.value]);
    }),
    problems: problemsOf(template, values, extras, now),
  };
}

function filledButton(button: TemplateButton, value: string | undefined): PreviewButton {
  const { type, url } = button;
  if (type === 'CopyCode' || type === 'Otp') return { ...button, code: value ?? null };
  // The platform inserts the value unchanged into the URL: the client must encode it.
  const filled = value === undefined ? url : (url?.replace(URL_VARIABLE, () => value) ?? null);
  return { ...button, url: filled, code: null };
}

function problemsOf(
  template: Template,
  values: readonly string[],
  extras: TemplateExtras | null,
  now: Date,
): PreviewProblem[] {
  const { name, languageCode, status, components } = template;
  const sendable = new SendableTemplate(template);
  const problems: PreviewProblem[] = [];
  const add = (field: string, { code, message }: Omit<PreviewProblem, 'field'>) =>
    problems.push({ field, code, message });
  if (status !== 'Approved') add('status', new TemplateNotApprovedError(name, languageCode, status));
  if (components.unsupported.length > 0) add('template', new TemplateNotSupportedError(name, components.unsupported));
  const mismatch = sendable.mismatchOf(values);
  if (mismatch) add('templateParameters', mismatch);
  problems.push(...sendable.errorsOf(values));
  for (const error of sendable.extrasErrors(extras, now)) {
    if (error instanceof ExtrasMismatchError) {
      for (const { field, message } of error.errors) add(field, { code: 'extras_mismatch', message });
    } else if (error instanceof LocationMissingError) add('headerLocation', error);
    else if (error instanceof PayloadMismatchError) add('quickReplyPayloads', error);
    else add(extras === null ? 'headerMediaId' : 'headerMedia', error);
  }
  return problems;
}
