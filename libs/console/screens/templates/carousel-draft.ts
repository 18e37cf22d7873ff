import type { ButtonDraftDto, CardDraftDto, TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { type BodyContents, examplesOf } from './body-draft';
import { buttonDraft, cleanButton } from './button-draft';

/** A card of the form. All cards have buttons of the same types, and a text if one of them has. */
export interface CardDraft {
  /** Stays when other cards are removed. */
  key: number;
  bodyText: string;
  /** Example values of the placeholders, by name. */
  examples: Record<string, string>;
  buttons: ButtonDraftDto[];
  /** Name of the example file, which a draft does not keep. */
  exampleName: string;
}

/** What cards show above their texts. */
export type CardFormat = TemplateDto['cards'][number]['headerFormat'];

/** The numbers of cards that a carousel can have. */
export const CARD_COUNT = { least: 2, most: 10 };
/** The most buttons of a card. */
export const MOST_CARD_BUTTONS = 2;
/** The types of buttons of cards, by what they show. */
export const CARD_BUTTONS: Readonly<Record<CardFormat, readonly ButtonDraftDto['type'][]>> = {
  Image: ['QuickReply', 'Url', 'PhoneNumber'],
  Video: ['QuickReply', 'Url', 'PhoneNumber'],
  Product: ['Product', 'Url'],
};

/** The cards with one more, with the same buttons as the others. */
export function withCard(cards: readonly CardDraft[]): CardDraft[] {
  const key = Math.max(-1, ...cards.map((card) => card.key)) + 1;
  const buttons = (cards[0]?.buttons ?? []).map(({ type }) => ({ type }));
  return [...cards, { key, bodyText: '', examples: {}, buttons, exampleName: '' }];
}

/** The cards without buttons that they cannot have beside the format; a product has one to view it. */
export function cardsFor(format: CardFormat, cards: readonly CardDraft[]): CardDraft[] {
  return cards.map((card) => {
    const buttons = card.buttons.filter(({ type }) => CARD_BUTTONS[format].includes(type));
    const hasNone = format === 'Product' && buttons.length === 0;
    return {
      ...card,
      exampleName: '',
      buttons: hasNone ? [{ type: 'Product', text: t('View', {}, 'button of a template') }] : buttons,
    };
  });
}

/** The cards of a stored template. */
export function cardsOf({ cards }: Pick<TemplateDto, 'cards'>): CardDraft[] {
  return cards.map(({ bodyText, buttons }, key) => ({
    ...{ key, bodyText: bodyText ?? '', examples: {}, exampleName: '' },
    buttons: buttons.flatMap(buttonDraft),
  }));
}

/** The cards of a request. `handles`: of the uploaded examples, by the keys of the cards. */
export function cardRequests(
  cards: readonly CardDraft[],
  format: CardFormat,
  parameterFormat: BodyContents['parameterFormat'],
  handles: Readonly<Record<number, string>>,
): CardDraftDto[] {
  const hasBody = cards.some(({ bodyText }) => bodyText !== '');
  return cards.map(({ key, bodyText, examples: given, buttons }) => {
    const examples = examplesOf({ bodyText, examples: given, parameterFormat });
    const exampleHandle = format === 'Product' ? undefined : handles[key];
    return {
      header: { format, ...(exampleHandle && { exampleHandle }) },
      ...(hasBody && { body: { text: bodyText, ...(examples && { examples }) } }),
      ...(buttons.length > 0 && { buttons: buttons.map(cleanButton) }),
    };
  });
}
