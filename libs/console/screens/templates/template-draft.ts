import type {
  ButtonDraftDto,
  CreateTemplateDto,
  EditTemplateDto,
  FieldErrorDto,
  TemplateDto,
} from '../../../client/generated/types.gen';
import { locale, t } from '../../language/translate';
import { slotsOf, type TemplateContents } from '../../ui/bubble/template-values';
import { openVariable } from '../../ui/bubble/whatsapp-text';
import { exampleField, examplesOf, placeholdersOf } from './body-draft';
import { buttonDraft, cleanButton } from './button-draft';
import { CARD_COUNT, type CardDraft, type CardFormat, cardRequests, cardsOf, withCard } from './carousel-draft';
import { type Kind, KIND_RULES, kindOf } from './template-kinds';
import { languageCodeOf } from './template-languages';

/** The form state of the template editor. */
export interface Draft {
  kind: Kind;
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
  offerText: string;
  /** Whether the message counts down to the end of the offer. */
  hasExpiration: boolean;
  cardFormat: CardFormat;
  cards: CardDraft[];
  /** By the keys of the cards. */
  cardHandles: Readonly<Record<number, string>>;
  securityRecommendation: boolean;
  /** As typed; empty: no expiry footer. */
  expirationMinutes: string;
}

const MAX_NAME_LENGTH = 512;

/** WhatsApp has all languages of the console, and regions of few. */
const OWN_LANGUAGE = new Intl.Locale(locale()).language.replace(/^en$/, 'en_US');

/** The initial state of a new template. */
export const NEW_DRAFT: Draft = {
  kind: 'Message',
  ...{ name: '', languageCode: OWN_LANGUAGE, category: 'Utility', parameterFormat: 'Positional' },
  ...{ headerFormat: 'None', headerText: '', headerExample: '', exampleHandle: '', exampleName: '' },
  ...{ bodyText: '', examples: {} },
  ...{ offerText: '', hasExpiration: true, cardFormat: 'Image', cards: [], cardHandles: {} },
  ...{ footerText: '', buttons: [], securityRecommendation: true, expirationMinutes: '10' },
};

/** What changes with another kind: what it does not have, and what it has in any case. */
export function withKind(draft: Draft, kind: Kind): Partial<Draft> {
  const { categories, headers, buttons, addable } = KIND_RULES[kind];
  const cards = [...draft.cards];
  while (kind === 'Carousel' && cards.length < CARD_COUNT.least) cards.push(withCard(cards).at(-1)!);
  return {
    ...{ kind, cards },
    category: categories.includes(draft.category) ? draft.category : categories[0],
    headerFormat: headers.includes(draft.headerFormat) ? draft.headerFormat : headers[0],
    buttons: [...buttons, ...draft.buttons.filter(({ type }) => addable.includes(type))],
  };
}

/** The draft with the examples as `previewOf` lists them. */
export function withExamples(draft: Draft, values: readonly string[]): Draft {
  const slots = slotsOf(contentsShown(draft)).map((slot, index) => ({ ...slot, value: values[index] ?? '' }));
  const examples = (ofCard?: number) =>
    Object.fromEntries(
      slots.flatMap(({ part, card, name, value }) => (part === 'body' && card === ofCard ? [[name, value]] : [])),
    );
  return {
    ...draft,
    headerExample: slots.find(({ part }) => part === 'header')?.value ?? '',
    examples: examples(),
    cards: draft.cards.map((card, index) => ({ ...card, examples: examples(index) })),
  };
}

/** Converts a stored template to a draft. Examples are not stored, nor flows. */
export function draftOf(template: TemplateDto): Draft {
  const { name, languageCode, category, parameterFormat, headerFormat, headerText, bodyText, footerText } = template;
  const { offer, cards } = template;
  const kind = kindOf(template);
  const isPassword = kind === 'Password';
  return {
    ...NEW_DRAFT,
    ...{ kind, name, languageCode, category, parameterFormat },
    ...(!isPassword && { headerFormat, headerText: headerText ?? '', bodyText, footerText: footerText ?? '' }),
    ...(offer && { offerText: offer.text, hasExpiration: offer.hasExpiration }),
    ...(cards[0] && { cardFormat: cards[0].headerFormat, cards: cardsOf(template) }),
    buttons: isPassword ? [...KIND_RULES.Password.buttons] : template.buttons.flatMap(buttonDraft),
  };
}

/** Whether the template has button types that the API cannot create. */
export function hasUnsupportedButtons({ buttons, cards }: TemplateDto): boolean {
  return [buttons, ...cards.map((card) => card.buttons)].flat().some(({ type }) => type === 'Other');
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
  const { kind, headerFormat, headerText, headerExample, exampleHandle, bodyText, footerText, buttons } = draft;
  if (kind === 'Password') {
    return {
      buttons: buttons.map(cleanButton),
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
    ...(KIND_RULES[kind].hasFooter && footerText && { footer: { text: footerText } }),
    ...(buttons.length > 0 && { buttons: buttons.map(cleanButton) }),
    ...(kind === 'Offer' && { offer: { text: draft.offerText, hasExpiration: draft.hasExpiration } }),
    ...(kind === 'Carousel' && {
      cards: cardRequests(draft.cards, draft.cardFormat, draft.parameterFormat, draft.cardHandles),
    }),
    ...(kind === 'CallRequest' && { callPermissionRequest: true }),
  };
}

/** The preview of a draft, with its examples as values. */
export function previewOf(draft: Draft): { template: TemplateContents; values: string[] } {
  const template = contentsShown(draft);
  if (draft.kind === 'Password') return { template, values: [] };
  const values = slotsOf(template).map(({ part, card, name }) => {
    if (part === 'button') return '';
    if (part === 'header') return draft.headerExample;
    return (card === undefined ? draft : draft.cards[card])?.examples[name] ?? '';
  });
  return { template, values };
}

function contentsShown(draft: Draft): TemplateContents {
  const { kind, parameterFormat, headerFormat, headerText, bodyText, footerText, languageCode } = draft;
  if (kind === 'Password') return passwordShown(draft);
  return {
    ...{ parameterFormat, headerFormat, headerText },
    footerText: (KIND_RULES[kind].hasFooter && footerText) || null,
    bodyText: bodyText || openVariable(t('Body text')),
    languageCode: languageCodeOf(languageCode),
    buttons: buttonsShown(draft.buttons),
    offer: kind === 'Offer' ? { text: draft.offerText || t('Offer'), hasExpiration: draft.hasExpiration } : null,
    cards:
      kind === 'Carousel'
        ? draft.cards.map((card) => ({
            headerFormat: draft.cardFormat,
            bodyText: card.bodyText || null,
            buttons: buttonsShown(card.buttons),
          }))
        : [],
  };
}

function passwordShown({ securityRecommendation, expirationMinutes, buttons: [button] }: Draft): TemplateContents {
  const advice = securityRecommendation ? ` ${t('For your security, do not share this code.')}` : '';
  const isCopied = (button?.otpType ?? 'CopyCode') === 'CopyCode';
  const label = isCopied ? t('Copy code') : button?.autofillText || t('Autofill');
  return {
    ...{ parameterFormat: 'Positional', headerFormat: 'None', headerText: null },
    bodyText: t('*{{1}}* is your verification code.') + advice,
    footerText: expirationMinutes ? t('This code expires in {minutes} minutes.', { minutes: expirationMinutes }) : null,
    buttons: [{ type: 'Otp', text: label, url: null, phoneNumber: null }],
  };
}

function buttonsShown(buttons: readonly ButtonDraftDto[]): TemplateContents['buttons'] {
  return buttons.map(({ type, text, url, phoneNumber }) => ({
    ...{ type, url: url ?? null, phoneNumber: phoneNumber ?? null },
    // WhatsApp labels these.
    text: text || (type === 'CopyCode' || type === 'RequestContactInfo' ? '' : t('Button')),
  }));
}
