import type { ReactNode } from 'react';
import type { ButtonDraftDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input, TextArea } from '../../ui/field';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { exampleField, placeholdersOf } from './body-draft';
import { ButtonFields } from './button-fields';
import { CARD_BUTTONS, CARD_COUNT, type CardDraft, cardsFor, MOST_CARD_BUTTONS, withCard } from './carousel-draft';
import { ExampleMedia } from './example-media';
import type { Draft } from './template-draft';
import { charactersUsed } from './template-parts';

const FORMATS = [
  { value: 'Image', label: t('Image') },
  { value: 'Video', label: t('Video') },
  { value: 'Product', label: t('Product') },
] as const;
const MAX_BODY_LENGTH = 160;

/** The cards of a carousel. A button is added to, and removed from, all of them. */
export function CardFields({
  draft: { cards, cardFormat, parameterFormat },
  round,
  problem,
  onChange,
  onUploaded,
}: {
  draft: Draft;
  /** Changes when the files have to be chosen again. */
  round: number;
  problem: (field: string) => ReactNode;
  onChange: (changed: Partial<Draft>) => void;
  /** `key`: of the card. */
  onUploaded: (key: number, handle: string, src: string | null) => void;
}) {
  const change = (key: number, changed: Partial<CardDraft>) =>
    onChange({ cards: cards.map((card) => (card.key === key ? { ...card, ...changed } : card)) });
  const changeButtons = (changed: (buttons: ButtonDraftDto[]) => ButtonDraftDto[]) =>
    onChange({ cards: cards.map((card) => ({ ...card, buttons: changed(card.buttons) })) });
  return (
    <Panel title={t('Cards')}>
      <div className="stack">
        <p className="hint">
          {t('All cards have the same parts: a button is added to all of them, or removed from all.')}
        </p>
        <Select
          label={t('Cards show')}
          value={cardFormat}
          choices={FORMATS}
          onChange={(format) => onChange({ cardFormat: format, cards: cardsFor(format, cards) })}
        />
        {problem('cards') && <p className="field-error">{problem('cards')}</p>}
        {cards.map((card, index) => {
          const owner = `cards[${index}].`;
          const number = index + 1;
          return (
            <fieldset key={card.key} className="templates-button">
              <legend>
                {t('Card {number, number}', { number })} {problem(`cards[${index}]`)}
              </legend>
              {cardFormat !== 'Product' && (
                <ExampleMedia
                  key={[cardFormat, round].join(' ')}
                  format={cardFormat}
                  label={t('Drop the example of card {number, number} here', { number })}
                  problem={problem(`${owner}header.exampleHandle`)}
                  onUploaded={(handle, src, exampleName) => {
                    change(card.key, { exampleName });
                    onUploaded(card.key, handle, src);
                  }}
                />
              )}
              <TextArea
                label={t('Text of card {number, number}', { number })}
                name={`${owner}body.text`}
                rows={2}
                value={card.bodyText}
                dir="auto"
                hint={charactersUsed(card.bodyText, MAX_BODY_LENGTH)}
                error={problem(`${owner}body.text`)}
                onChange={(bodyText) => change(card.key, { bodyText })}
              />
              {placeholdersOf(card.bodyText).map((name, at) => {
                const field = exampleField({ parameterFormat }, name, at, owner);
                return (
                  <Input
                    key={name}
                    label={t('Example for {variable} of card {number, number}', { variable: `{{${name}}}`, number })}
                    name={field}
                    value={card.examples[name] ?? ''}
                    dir="auto"
                    error={problem(field)}
                    onChange={(example) => change(card.key, { examples: { ...card.examples, [name]: example } })}
                  />
                );
              })}
              <ButtonFields
                buttons={card.buttons}
                addable={index === 0 ? CARD_BUTTONS[cardFormat] : []}
                most={MOST_CARD_BUTTONS}
                owner={owner}
                problem={problem}
                onChange={(buttons) => change(card.key, { buttons })}
                onAdd={(type) => changeButtons((buttons) => [...buttons, { type }])}
                onRemove={(removed) => changeButtons((buttons) => buttons.filter((_one, at) => at !== removed))}
              />
              {cards.length > CARD_COUNT.least && (
                <div className="row">
                  <Button
                    small
                    variant="quiet"
                    icon="close"
                    onClick={() => onChange({ cards: cards.filter(({ key }) => key !== card.key) })}
                  >
                    {t('Remove card {number, number}', { number })}
                  </Button>
                </div>
              )}
            </fieldset>
          );
        })}
        {cards.length < CARD_COUNT.most && (
          <div className="row">
            <Button small icon="plus" onClick={() => onChange({ cards: withCard(cards) })}>
              {t('Add card')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
