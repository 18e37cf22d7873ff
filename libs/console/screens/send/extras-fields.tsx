import { type ReactNode, useRef, useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { fieldErrorOf } from '../../app/field-problem';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import { useNow } from '../../ui/now';
import { mediaOf } from './campaign-columns';
import { MediaFields } from './media-fields';
import { problemOfOfferEnd } from './offer-end';
import { PlaceFields } from './place-fields';
import { HeaderProductFields, ProductCardsFields, ProductListFields } from './product-fields';
import { type ChosenSources, extrasOf, type SendExtras, type TypedExtras, type TypedMedia } from './send-extras';
import { TIME_ZONE_HINT } from './send-options';

/** The fields for what the messages of a template need beside values. */
export function ExtrasFields({
  template,
  typed: first = {},
  senderId,
  missed,
  error,
  onChange,
}: {
  template: TemplateDto;
  /** Of an earlier visit. */
  typed?: TypedExtras;
  /** Whose messages will have them; absent: the default sender's. */
  senderId?: string;
  /** Everything else is there: the part that is missing. */
  missed?: SendExtras['missing'][number];
  /** Of a check or a send. */
  error?: unknown;
  onChange: (extras: SendExtras) => void;
}) {
  const [typed, setTyped] = useState(first);
  // Several uploads may end before the next render.
  const latest = useRef<{ typed: TypedExtras; sources: ChosenSources }>({ typed: first, sources: {} });
  const change = (changed: Partial<TypedExtras>, chosen: ChosenSources = {}) => {
    const { typed: before, sources } = latest.current;
    latest.current = { typed: { ...before, ...changed }, sources: { ...sources, ...chosen } };
    setTyped(latest.current.typed);
    onChange(extrasOf(template, latest.current.typed, latest.current.sources));
  };
  const changeCard = (index: number, media: TypedMedia, src: string | null) => {
    const { typed: before, sources } = latest.current;
    const at = <T,>(list: readonly T[] = [], own: T, none: T) =>
      template.cards.map((_card, card) => (card === index ? own : (list[card] ?? none)));
    change({ cards: at(before.cards, media, {}) }, { cards: at<string | null | undefined>(sources.cards, src, null) });
  };
  const errorOf = (field: string) => fieldErrorOf(error, field);
  const media = mediaOf(template);
  return template.needs.map((need) => {
    const problem = missed?.need === need ? missed.first : undefined;
    const products = {
      ...{ products: typed.products, problem, errorOf },
      onChange: (next: TypedExtras['products']) => change({ products: next }),
    };
    switch (need) {
      case 'headerMedia':
        return (
          media && (
            <MediaFields
              key={need}
              {...{ media, senderId, first }}
              problem={(problem && HEADER_MISSED) ?? errorOf('headerMediaId')}
              urlProblem={errorOf('headerMediaUrl')}
              onChange={({ url, file }, header) => change({ url, file }, { header })}
            />
          )
        );
      case 'headerLocation':
        return (
          <PlaceFields
            key={need}
            place={typed.place}
            problem={(problem && HEADER_MISSED) ?? errorOf('headerLocation')}
            onChange={(place) => change({ place })}
          />
        );
      case 'headerProduct':
        return <HeaderProductFields key={need} {...products} />;
      case 'products':
        return <ProductListFields key={need} {...products} />;
      case 'offerExpiresAt':
        return (
          <OfferEnd
            key={need}
            ends={typed.offerEnds ?? ''}
            problem={problem ?? errorOf('offerExpiresAt')}
            onChange={(offerEnds) => change({ offerEnds })}
          />
        );
      case 'cards':
        return template.cards[0]?.headerFormat === 'Product' ? (
          <ProductCardsFields key={need} {...products} cards={template.cards} />
        ) : (
          <Cards key={need} {...{ template, first, senderId, problem, errorOf }} onChange={changeCard} />
        );
    }
  });
}

const HEADER_MISSED = t('The header is incomplete. Nothing can be sent without it.');

function OfferEnd({ ends, problem, onChange }: { ends: string; problem: ReactNode; onChange: (ends: string) => void }) {
  const now = useNow();
  return (
    <Input
      label={t('End of the offer')}
      type="datetime-local"
      value={ends}
      hint={
        <>
          {t('Messages whose turn comes later are not sent.')} {TIME_ZONE_HINT}
        </>
      }
      error={(ends && problemOfOfferEnd(ends, now)) || problem}
      onChange={onChange}
    />
  );
}

/** The pictures or videos of the cards. */
function Cards({
  template: { cards },
  first,
  senderId,
  problem,
  errorOf,
  onChange,
}: {
  template: TemplateDto;
  first: TypedExtras;
  senderId: string | undefined;
  problem: string | undefined;
  errorOf: (field: string) => ReactNode;
  onChange: (index: number, media: TypedMedia, src: string | null) => void;
}) {
  const missed = problem ?? errorOf('cards');
  return (
    <div className="stack">
      <div className="send-cards">
        {cards.map(({ headerFormat, bodyText }, index) => {
          const number = index + 1;
          const field = `cards[${index}]`;
          const media = headerFormat === 'Video' ? 'Video' : 'Image';
          const isVideo = media === 'Video';
          return (
            <fieldset key={index} className="send-part">
              <legend>{t('Card {number, number}', { number })}</legend>
              {bodyText && (
                <p className="hint" dir="auto">
                  {bodyText}
                </p>
              )}
              <MediaFields
                media={media}
                texts={{
                  label: isVideo
                    ? t('Drop the video of card {number} here', { number })
                    : t('Drop the picture of card {number} here', { number }),
                  orUrl: isVideo
                    ? t('Or a public URL of the video of card {number}', { number })
                    : t('Or a public URL of the picture of card {number}', { number }),
                }}
                first={first.cards?.[index] ?? {}}
                senderId={senderId}
                problem={errorOf(`${field}.headerMediaId`)}
                urlProblem={errorOf(`${field}.headerMediaUrl`)}
                onChange={(typed, src) => onChange(index, typed, src)}
              />
            </fieldset>
          );
        })}
      </div>
      {missed && <p className="field-error">{missed}</p>}
    </div>
  );
}
