import type { TemplateDto } from '../../../client/generated/types.gen';
import { SAME_FOR_ALL } from '../../app/columns/column-mapping';
import { Pair } from '../../app/columns/column-mapping-fields';
import { t } from '../../language/translate';
import { slotsOf } from '../../ui/bubble/template-values';
import { Input } from '../../ui/field';
import { Segments } from '../../ui/segments';
import { Select } from '../../ui/select';
import { type HeaderMedia, mediaOf, mediaUrlLabel, placeOf } from './campaign-columns';
import { CONTACT_NAME, type GroupValues } from './group-values';

const FROM = [
  { value: 'attributes', label: t('Names and contact fields') },
  { value: 'parameters', label: t('Template values of the contacts') },
] as const;
const SAME_MEDIA: Readonly<Record<HeaderMedia, string>> = {
  Image: t('The same picture for all'),
  Video: t('The same video for all'),
  Document: t('The same document for all'),
};

/** Where each value of a message to groups comes from, and its text for contacts without it. */
export function GroupValueFields({
  template,
  attributes,
  values,
  onChange,
}: {
  template: TemplateDto;
  attributes: readonly string[];
  values: GroupValues;
  onChange: (values: GroupValues) => void;
}) {
  const isByAttribute = values.from === 'attributes';
  const change = (index: number, changed: Partial<GroupValues['slots'][number]>) =>
    onChange({ ...values, slots: values.slots.map((slot, at) => (at === index ? { ...slot, ...changed } : slot)) });
  const media = mediaOf(template);
  const named = attributes.map((name) => ({ value: name, label: name }));
  const slots = slotsOf(template);
  const sources = [
    { source: CONTACT_NAME, label: t('Name of the contact') },
    ...attributes.map((name) => ({ source: name, label: name })),
  ];
  return (
    <div className="stack">
      {slots.length > 0 && (
        <Segments
          label={t('Take the values from')}
          value={values.from}
          choices={FROM}
          onChange={(from) => onChange({ ...values, from })}
        />
      )}
      {media && attributes.length > 0 && (
        <Select
          label={mediaUrlLabel(media)}
          value={values.media}
          choices={[{ value: '', label: SAME_MEDIA[media] }, ...named]}
          onChange={(attribute) => onChange({ ...values, media: attribute })}
        />
      )}
      {slots.length > 0 && (
        <fieldset className="checks stack">
          <legend className="hint">
            {isByAttribute
              ? t(
                  'Each value comes from the name or a field of the contact. The text is used where a contact has none.',
                )
              : t(
                  'Template values are texts that were stored with a contact by number, through the API: its value 1 fills the first placeholder, and so on. These defaults are used where a contact has none.',
                )}
          </legend>
          {isByAttribute ? (
            <ul className="mapping" aria-label={t('Use of the contact fields')}>
              {slots.map((slot, index) => {
                const { attribute = '', text = '' } = values.slots[index] ?? {};
                const place = placeOf(slot, template);
                return (
                  <Pair
                    key={index}
                    field={{
                      ...{ key: String(index), label: slot.label, required: true, takesText: true },
                      ...(place !== undefined && { place }),
                    }}
                    sourceLabel={t('Contact field for {value}', { value: slot.label })}
                    marks={false}
                    chosen={{ source: attribute || SAME_FOR_ALL, by: 'person', text }}
                    sources={sources}
                    onChange={(source) => change(index, { attribute: source === SAME_FOR_ALL ? '' : source })}
                    onText={(next) => change(index, { text: next })}
                  />
                );
              })}
            </ul>
          ) : (
            slots.map((slot, index) => (
              <Input
                key={index}
                label={t('Default for {value}', { value: slot.label })}
                hint={placeOf(slot, template)}
                value={values.slots[index]?.text ?? ''}
                maxLength={1024}
                dir="auto"
                onChange={(next) => change(index, { text: next })}
              />
            ))
          )}
        </fieldset>
      )}
    </div>
  );
}
