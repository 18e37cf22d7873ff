import type {
  ButtonDraftDto,
  CreateTemplateDto,
  EditTemplateDto,
  FieldErrorDto,
  TemplateDto,
} from '../../../client/generated/types.gen';
import { locale, t } from '../../language/translate';
import type { TemplateContents } from '../../ui/bubble/template-values';
import { openVariable } from '../../ui/bubble/whatsapp-text';
import { languageCodeOf } from './template-languages';

/** The form state of the template editor. */
export interface Draft {
  name: string;
  languageCode: string;
  category: TemplateDto['category'];
  parameterFormat: TemplateDto['parameterFormat'];
  headerFormat: TemplateDto['headerFormat'];
  headerText: string;
  headerExample: string;
  exampleHandle: string;
  /** Name of the example file, which a draft does not keep. */
  exampleName: string;
  bodyText: string;
  /** Example values of the body's placeholders, by name. */
  examples: Record<string, string>;
  footerText: string;
  buttons: ButtonDraftDto[];
  securityRecommendation: boolean;
  /** As typed; empty: no expiry footer. */
  expirationMinutes: string;
}

/** The button types that the API can create; WhatsApp supports more. */
export const BUTTON_TYPES: readonly ButtonDraftDto['type'][] = ['QuickReply', 'Url', 'PhoneNumber', 'CopyCode'];

const MAX_NAME_LENGTH = 512;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** WhatsApp has all languages of the console, and regions of few. */
const OWN_LANGUAGE = new Intl.Locale(locale()).language.replace(/^en$/, 'en_US');

/** The initial state of a new template. */
export const NEW_DRAFT: Draft = {
  ...{ name: '', languageCode: OWN_LANGUAGE, category: 'Utility', parameterFormat: 'Positional' },
  ...{ headerFormat: 'None', headerText: '', headerExample: '', exampleHandle: '', exampleName: '' },
  ...{ bodyText: '', examples: {} },
  ...{ footerText: '', buttons: [], securityRecommendation: true, expirationMinutes: '10' },
};

/** The draft with the examples as `previewOf` lists them. */
export function withExamples(draft: Draft, values: readonly string[]): Draft {
  const isHeader = draft.headerFormat === 'Text' && placeholdersOf(draft.headerText).length > 0;
  const names = exampleNames(draft);
  const examples = values.slice(isHeader ? 1 : 0);
  return {
    ...draft,
    headerExample: (isHeader && values[0]) || '',
    examples: Object.fromEntries(names.map((name, index) => [name, examples[index] ?? ''])),
  };
}

/** Converts a stored template to a draft. Examples are not stored. */
export function draftOf(template: TemplateDto): Draft {
  const { name, languageCode, category, parameterFormat, headerFormat, headerText, bodyText, footerText } = template;
  const isPassword = category === 'Authentication';
  return {
    ...NEW_DRAFT,
    ...{ name, languageCode, category, parameterFormat },
    ...(!isPassword && { headerFormat, headerText: headerText ?? '', bodyText, footerText: footerText ?? '' }),
    buttons: isPassword ? [] : template.buttons.flatMap(buttonDraft),
  };
}

/** Whether the template has button types that the API cannot create. */
export function hasUnsupportedButtons({ buttons, category }: TemplateDto): boolean {
  return category !== 'Authentication' && buttons.some(({ type }) => !BUTTON_TYPES.some((one) => one === type));
}

/** What is typed as a name, with the characters that names can have: “Größe M!” is `groesse_m`. */
export function nameFrom(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[äöü]/g, (umlaut) => `${umlaut}e`)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[\s-]/g, '_')
    .replaceAll(/[^a-z0-9_]/g, '')
    .slice(0, MAX_NAME_LENGTH);
}

/** The distinct placeholder names of a text, in order of appearance. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))].filter(
    (name) => name !== '',
  );
}

/** The API's name of the example of a placeholder of the body. */
export function exampleField({ parameterFormat }: Pick<Draft, 'parameterFormat'>, name: string, index: number): string {
  return parameterFormat === 'Named' ? `body.examples.${name}` : `body.examples[${index}]`;
}

/** The empty examples of the body. */
export function missingExamples(draft: Draft): FieldErrorDto[] {
  return placeholdersOf(draft.bodyText).flatMap((name, index): FieldErrorDto[] =>
    draft.examples[name] ? [] : [{ field: exampleField(draft, name, index), code: 'empty', message: '' }],
  );
}

/** Converts a draft to an API request. */
export function requestOf(draft: Draft): CreateTemplateDto {
  const { name, languageCode, category, parameterFormat } = draft;
  return {
    name,
    languageCode: languageCodeOf(languageCode),
    category,
    ...(category !== 'Authentication' && { parameterFormat }),
    ...contentsOf(draft),
  };
}

/** Converts a draft to an edit request; name, language and placeholder format cannot change. */
export function editOf(draft: Draft, before: TemplateDto): EditTemplateDto {
  return { ...contentsOf(draft), ...(draft.category !== before.category && { category: draft.category }) };
}

function contentsOf(draft: Draft): EditTemplateDto {
  const { category, headerFormat, headerText, headerExample, exampleHandle, bodyText, footerText, buttons } = draft;
  if (category === 'Authentication') {
    return {
      // Without a text, WhatsApp labels the button in the language of the template.
      buttons: [{ type: 'Otp', otpType: 'CopyCode' }],
      addSecurityRecommendation: draft.securityRecommendation,
      ...(draft.expirationMinutes.trim() && { codeExpirationMinutes: Number(draft.expirationMinutes) }),
    };
  }
  const isMedia = headerFormat === 'Image' || headerFormat === 'Video' || headerFormat === 'Document';
  const examples = examplesOf(draft);
  return {
    ...(headerFormat !== 'None' && {
      header: {
        format: headerFormat,
        ...(headerFormat === 'Text' && { text: headerText }),
        ...(headerFormat === 'Text' &&
          placeholdersOf(headerText).length > 0 &&
          headerExample && { example: headerExample }),
        ...(isMedia && exampleHandle && { exampleHandle }),
      },
    }),
    body: { text: bodyText, ...(examples && { examples }) },
    ...(footerText && { footer: { text: footerText } }),
    ...(buttons.length > 0 && { buttons: buttons.map(cleanButton) }),
  };
}

/** The examples in placeholder order, or by name, also the empty ones, so that a check names each; null: no placeholders. */
function examplesOf({ bodyText, examples, parameterFormat }: Draft): string[] | Record<string, string> | null {
  const names = exampleNames({ bodyText, parameterFormat });
  if (names.length === 0) return null;
  if (parameterFormat === 'Named') return Object.fromEntries(names.map((name) => [name, examples[name] ?? '']));
  return names.map((name) => examples[name] ?? '');
}

/** The placeholders of the body in the order of its values. */
function exampleNames({ bodyText, parameterFormat }: Pick<Draft, 'bodyText' | 'parameterFormat'>): string[] {
  const names = placeholdersOf(bodyText);
  return parameterFormat === 'Named' ? names : names.sort((a, b) => Number(a) - Number(b));
}

/** The preview of a draft, with its examples as values. */
export function previewOf(draft: Draft): { template: TemplateContents; values: string[] } {
  const isPassword = draft.category === 'Authentication';
  const { parameterFormat, headerFormat, headerText, bodyText, footerText, languageCode } = draft;
  const names = exampleNames(draft);
  const advice = draft.securityRecommendation ? ` ${t('For your security, do not share this code.')}` : '';
  if (isPassword) {
    return {
      template: {
        ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null },
        bodyText: t('*{{1}}* is your verification code.') + advice,
        footerText: draft.expirationMinutes
          ? t('This code expires in {minutes} minutes.', { minutes: draft.expirationMinutes })
          : null,
        buttons: [{ type: 'Otp', text: t('Copy code'), url: null, phoneNumber: null }],
      },
      values: [],
    };
  }
  const header = headerFormat === 'Text' && placeholdersOf(headerText).length > 0 ? [draft.headerExample] : [];
  return {
    template: {
      ...{ parameterFormat, headerFormat, headerText, footerText: footerText || null },
      bodyText: bodyText || openVariable(t('Body text')),
      languageCode: languageCodeOf(languageCode),
      buttons: draft.buttons.map(({ type, text, url, phoneNumber }) => ({
        ...{ type, text: text || t('Button'), url: url ?? null, phoneNumber: phoneNumber ?? null },
      })),
    },
    values: [...header, ...names.map((name) => draft.examples[name] ?? '')],
  };
}

function buttonDraft({ type, text, url, phoneNumber }: TemplateDto['buttons'][number]): ButtonDraftDto[] {
  const known = BUTTON_TYPES.find((one) => one === type);
  if (!known) return [];
  return [{ type: known, text, ...(url && { url }), ...(phoneNumber && { phoneNumber }) }];
}

/** Keeps only the fields of the button's type. */
function cleanButton({ type, text, url, example, phoneNumber }: ButtonDraftDto): ButtonDraftDto {
  return {
    type,
    ...(type !== 'CopyCode' && { text: text ?? '' }),
    ...(type === 'Url' && { url: url ?? '' }),
    ...(type === 'Url' && (url ?? '').includes('{{') && example && { example }),
    ...(type === 'CopyCode' && { example: example ?? '' }),
    ...(type === 'PhoneNumber' && { phoneNumber: phoneNumber ?? '' }),
  };
}
