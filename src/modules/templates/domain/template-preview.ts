import type { FieldError } from '../../../kernel/domain-error';
import { shownCards } from './extras-rules';
import { SendableTemplate, TEMPLATE_VALUE_CODES, type TemplateContents } from './sendable-template';
import type { TemplateStatus } from './template';
import type { CardHeaderFormat, HeaderFormat, TemplateButton } from './template-components';
import { componentsOfDraft, type TemplateDraft } from './template-draft';
import type { TemplateExtras } from './template-extras';
import {
  ExtrasMismatchError,
  LocationMissingError,
  PayloadMismatchError,
  TemplateNotApprovedError,
  TemplateNotSupportedError,
} from './templates.errors';
import { fillText, URL_VARIABLE, type ValueSlot, valuesOf } from './value-slots';

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

/** A template to preview. */
export interface PreviewedTemplate extends TemplateContents {
  status: TemplateStatus;
}

/** A filled-in button; `code`: of a coupon or one-time password. */
export interface PreviewButton extends TemplateButton {
  code: string | null;
}

/** A filled-in card of a carousel. */
export interface PreviewCard {
  header: { format: CardHeaderFormat };
  body: string | null;
  buttons: PreviewButton[];
}

/** A template filled in as far as possible, and all reasons why it cannot be sent with these values. */
export interface TemplatePreview<Problem = PreviewProblem> {
  renderedText: string;
  header: { format: HeaderFormat; text: string | null };
  body: string;
  footer: string | null;
  buttons: PreviewButton[];
  /** Absent: not a limited-time offer. `expiresAt` is null without `offerExpiresAt`. */
  offer?: { text: string; expiresAt: string | null };
  /** Absent: not a carousel. */
  cards?: PreviewCard[];
  problems: Problem[];
}

/** The values and extras of a preview. */
export interface PreviewInput {
  values: readonly string[];
  extras: TemplateExtras | null;
}

/** The preview of a draft, with the problems of the draft itself. */
export type DraftPreview = TemplatePreview<FieldError<string>>;

/** Fills in a draft as if it were approved. The problems begin with `errors`, those of the draft, each below `draft`. */
export function previewOfDraft(
  draft: TemplateDraft,
  errors: readonly FieldError<string>[],
  { values, extras }: PreviewInput,
  now: Date,
): DraftPreview {
  const { name, languageCode, category } = draft;
  const template = { ...{ name, languageCode, category }, revisionId: '', components: componentsOfDraft(draft) };
  const preview = previewOf({ ...template, status: 'Approved' }, values, extras, now);
  return { ...preview, problems: [...errors.map(belowDraft), ...preview.problems] };
}

function belowDraft({ field, code, message }: FieldError<string>): FieldError<string> {
  return { field: `draft.${field}`, code, message: message.startsWith(`${field} `) ? `draft.${message}` : message };
}

/** Fills in a template; a placeholder without a value stays. */
export function previewOf(
  template: PreviewedTemplate,
  values: readonly string[],
  extras: TemplateExtras | null,
  now: Date,
): TemplatePreview {
  const { components } = template;
  const { parameterFormat, headerFormat, headerText, bodyText, footerText } = components;
  const { slots, buttons: filled } = valuesOf(components);
  const fillPart = (text: string, isIn: (slot: ValueSlot) => boolean) =>
    fillText(text, parameterFormat, (placeholder) => {
      return values[slots.findIndex((slot) => isIn(slot) && 'placeholder' in slot && slot.placeholder === placeholder)];
    });
  const fillButtons = (buttons: readonly TemplateButton[], card?: number) =>
    buttons.map((button, index) => {
      const filledIn = filled.find((one) => one.card === card && one.index === index);
      return filledButton(button, filledIn === undefined ? undefined : values[filledIn.value]);
    });
  const { offer } = components;
  const cards = shownCards(components.cards, extras).map(({ headerFormat: format, bodyText: text, buttons }, card) => ({
    header: { format },
    body: text === null ? null : fillPart(text, (slot) => slot.part === 'cardBody' && slot.card === card),
    buttons: fillButtons(buttons, card),
  }));
  return {
    renderedText: new SendableTemplate(template).render(values),
    header: {
      format: headerFormat,
      text: headerText === null ? null : fillPart(headerText, ({ part }) => part === 'header'),
    },
    body: fillPart(bodyText, ({ part }) => part === 'body'),
    footer: footerText,
    buttons: fillButtons(components.buttons),
    ...(offer && { offer: { text: offer.text, expiresAt: expiryOf(extras) } }),
    ...(cards.length > 0 && { cards }),
    problems: problemsOf(template, values, extras, now),
  };
}

function expiryOf(extras: TemplateExtras | null): string | null {
  return extras?.offerExpiresAt === undefined ? null : new Date(extras.offerExpiresAt).toISOString();
}

function filledButton(button: TemplateButton, value: string | undefined): PreviewButton {
  const { type, url } = button;
  if (type === 'CopyCode' || type === 'Otp') return { ...button, code: value ?? null };
  // The platform inserts the value unchanged into the URL: the client must encode it.
  const filled = value === undefined ? url : (url?.replace(URL_VARIABLE, () => value) ?? null);
  return { ...button, url: filled, code: null };
}

function problemsOf(
  template: PreviewedTemplate,
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
