import { checkButtons, checkProductButtons } from './button-rules';
import type { FieldErrors } from './field-errors';
import { checkBody, checkText } from './placeholder-rules';
import type { CardDraft, TemplateDraft } from './template-draft';

/** The remedy of a media header without an example. */
export const EXAMPLE_HANDLE_HINT = 'is required: the handle of an example uploaded with purpose TemplateExample.';
const MAX_OFFER_TEXT_LENGTH = 16;
const MAX_CARD_BODY_LENGTH = 160;
const MAX_CARD_BUTTONS = 2;
const MIN_CARDS = 2;
const MAX_CARDS = 10;
const CARD_BUTTONS = ['QuickReply', 'Url', 'PhoneNumber', 'Product'];

/** Checks a limited-time offer: category Marketing, no header or an image or video, a code before a link, no footer. */
export function checkOffer(
  errors: FieldErrors,
  { category, header, footer, buttons = [], offer, cards }: TemplateDraft,
): void {
  checkText(errors, 'offer.text', offer!.text, { maxLength: MAX_OFFER_TEXT_LENGTH, lines: 'one' });
  if (category !== 'Marketing') errors.add('offer', 'not_allowed', 'is only for the category Marketing. Remove it.');
  if (cards) errors.add('cards', 'not_allowed', 'cannot be combined with an offer. Remove one of them.');
  if (footer) errors.add('footer', 'not_allowed', 'cannot be combined with an offer. Remove it.');
  if (header && header.format !== 'Image' && header.format !== 'Video') {
    errors.add('header.format', 'not_allowed', 'must be Image or Video with an offer.');
  }
  const order = buttons.map(({ type }) => type).join();
  if (!/^(CopyCode,)?Url$|^CopyCode$/.test(order)) {
    errors.add('buttons', 'not_allowed', 'must be a CopyCode button, a Url button, or both in this order.');
  }
}

/** Checks a carousel: 2 to 10 cards of the same structure, in a Marketing template with only a body. */
export function checkCards(errors: FieldErrors, draft: TemplateDraft): void {
  const { category, header, footer, buttons = [], cards = [], parameterFormat } = draft;
  if (category !== 'Marketing') errors.add('cards', 'not_allowed', 'is only for the category Marketing. Remove it.');
  for (const [field, part] of Object.entries({ header, footer, buttons: buttons[0] })) {
    if (part) errors.add(field, 'not_allowed', 'cannot be combined with a carousel. Remove it.');
  }
  if (cards.length < MIN_CARDS || cards.length > MAX_CARDS) {
    errors.add('cards', 'wrong_length', `must be ${MIN_CARDS} to ${MAX_CARDS} cards.`);
  }
  cards.forEach((card, index) => {
    const field = `cards[${index}]`;
    if (structureOf(card) !== structureOf(cards[0]!)) {
      errors.add(
        field,
        'not_allowed',
        'must have the same header format, body and types of buttons as the first card.',
      );
    }
    checkCard(errors, field, card, parameterFormat);
  });
}

function checkCard(
  errors: FieldErrors,
  field: string,
  { header, body, buttons = [] }: CardDraft,
  parameterFormat: TemplateDraft['parameterFormat'],
): void {
  const { format, exampleHandle } = header;
  const handle = `${field}.header.exampleHandle`;
  if (format === 'Product') {
    if (exampleHandle !== undefined) errors.add(handle, 'not_allowed', 'does not belong to a product. Remove it.');
  } else if (!exampleHandle) errors.add(handle, 'required', EXAMPLE_HANDLE_HINT);
  if (body) checkBody(errors, `${field}.body`, body, parameterFormat, MAX_CARD_BODY_LENGTH);
  if (buttons.length > MAX_CARD_BUTTONS) {
    errors.add(`${field}.buttons`, 'too_many', `may be at most ${MAX_CARD_BUTTONS} on a card.`);
  }
  buttons.forEach(({ type }, index) => {
    if (!CARD_BUTTONS.includes(type)) {
      errors.add(
        `${field}.buttons[${index}].type`,
        'not_allowed',
        `must be one of ${CARD_BUTTONS.join(', ')} on a card.`,
      );
    }
  });
  checkButtons(errors, buttons, 'Marketing', `${field}.`);
  checkProductButtons(errors, buttons, format, `${field}.`);
}

function structureOf({ header, body, buttons = [] }: CardDraft): string {
  return JSON.stringify([header.format, body !== undefined, buttons.map(({ type }) => type)]);
}
