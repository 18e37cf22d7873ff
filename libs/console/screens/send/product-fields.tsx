import type { ReactNode } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input, TextArea } from '../../ui/field';
import {
  cardCount,
  MOST_SECTIONS,
  NO_PRODUCTS,
  NO_SECTION,
  type ProductSection,
  type TypedProducts,
} from './typed-products';

const MAX_ID = 255;
const MAX_TITLE = 24;
const CATALOG_PLACE = t('In Meta Commerce Manager, under Settings of the catalog.');
const PRODUCT_PLACE = t('In Meta Commerce Manager, under Items of the catalog: the “Content ID”.');

interface ProductFieldsProps {
  products?: TypedProducts;
  problem: ReactNode;
  /** What the service says of a field, by its path in the request. */
  errorOf: (field: string) => ReactNode;
  onChange: (products: TypedProducts) => void;
}

/** The product of a header. */
export function HeaderProductFields({ products = NO_PRODUCTS, problem, errorOf, onChange }: ProductFieldsProps) {
  return (
    <div className="stack">
      <div className="send-fields">
        <CatalogId {...{ products, onChange }} error={errorOf('headerProduct.catalogId')} />
        <Input
          label={t('Product ID')}
          value={products.productId}
          maxLength={MAX_ID}
          hint={PRODUCT_PLACE}
          error={errorOf('headerProduct.productId') ?? errorOf('headerProduct')}
          onChange={(productId) => onChange({ ...products, productId })}
        />
      </div>
      {problem && <p className="field-error">{problem}</p>}
    </div>
  );
}

/** The products of a carousel, one for each card. */
export function ProductCardsFields({
  cards,
  products = NO_PRODUCTS,
  problem,
  errorOf,
  onChange,
}: ProductFieldsProps & { cards: TemplateDto['cards'] }) {
  const { least, most } = cardCount(cards);
  return (
    <div className="stack">
      <CatalogId {...{ products, onChange }} error={errorOf('cards[0].product.catalogId')} />
      <TextArea
        label={
          least === most
            ? t('Product IDs of the {count} cards, one per line', { count: least })
            : t('Product IDs of {least} to {most} cards, one per line', { least, most })
        }
        rows={4}
        value={products.productIds}
        hint={PRODUCT_PLACE}
        error={problem ?? errorOf('cards')}
        onChange={(productIds) => onChange({ ...products, productIds })}
      />
    </div>
  );
}

/** The products of a list: the one that the message shows, and the sections. */
export function ProductListFields({ products = NO_PRODUCTS, problem, errorOf, onChange }: ProductFieldsProps) {
  const { sections } = products;
  const change = (index: number, changed: Partial<ProductSection>) =>
    onChange({ ...products, sections: sections.map((one, at) => (at === index ? { ...one, ...changed } : one)) });
  return (
    <div className="stack">
      <Input
        label={t('Product ID that the message shows')}
        value={products.productId}
        maxLength={MAX_ID}
        hint={PRODUCT_PLACE}
        error={errorOf('products.thumbnailProductId')}
        onChange={(productId) => onChange({ ...products, productId })}
      />
      {sections.map(({ title, productIds }, index) => {
        const number = index + 1;
        return (
          <fieldset key={index} className="send-part">
            <legend>{t('Section {number}', { number })}</legend>
            <Input
              label={
                sections.length > 1
                  ? t('Title of section {number}', { number })
                  : t('Title of section {number} (optional)', { number })
              }
              value={title}
              maxLength={MAX_TITLE}
              dir="auto"
              error={errorOf(`products.sections[${index}].title`)}
              onChange={(next) => change(index, { title: next })}
            />
            <TextArea
              label={t('Product IDs of section {number}, one per line', { number })}
              rows={3}
              value={productIds}
              error={errorOf(`products.sections[${index}].productIds`)}
              onChange={(next) => change(index, { productIds: next })}
            />
            {sections.length > 1 && (
              <div>
                <Button
                  small
                  onClick={() => onChange({ ...products, sections: sections.filter((_one, at) => at !== index) })}
                >
                  {t('Remove section {number}', { number })}
                </Button>
              </div>
            )}
          </fieldset>
        );
      })}
      {sections.length < MOST_SECTIONS && (
        <div>
          <Button small icon="plus" onClick={() => onChange({ ...products, sections: [...sections, NO_SECTION] })}>
            {t('Add section')}
          </Button>
        </div>
      )}
      {(problem ?? errorOf('products.sections') ?? errorOf('products')) && (
        <p className="field-error">{problem ?? errorOf('products.sections') ?? errorOf('products')}</p>
      )}
    </div>
  );
}

function CatalogId({
  products,
  error,
  onChange,
}: {
  products: TypedProducts;
  error: ReactNode;
  onChange: (products: TypedProducts) => void;
}) {
  return (
    <Input
      label={t('Catalog ID')}
      value={products.catalogId}
      maxLength={MAX_ID}
      inputMode="numeric"
      hint={CATALOG_PLACE}
      error={error}
      onChange={(catalogId) => onChange({ ...products, catalogId })}
    />
  );
}
