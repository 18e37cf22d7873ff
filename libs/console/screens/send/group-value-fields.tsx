import type { TemplateDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { slotsOf } from '../../ui/bubble/template-values';
import { Input } from '../../ui/field';
import { Segments } from '../../ui/segments';
import { Select } from '../../ui/select';
import { type HeaderMedia, mediaOf, mediaUrlLabel } from './campaign-columns';
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
        <fieldset className="send-fields">
          <legend className="hint">
            {isByAttribute
              ? t(
                  'Each value comes from the name or a field of the contact. The text is used where a contact has none.',
                )
              : t('Contacts have values 1, 2, … of their own. These defaults are used where a contact has none.')}
          </legend>
          {slots.map(({ label }, index) => {
            const { attribute = '', text = '' } = values.slots[index] ?? {};
            return (
              <div key={index} className="stack">
                {isByAttribute && (
                  <Select
                    label={t('Contact field for {value}', { value: label })}
                    value={attribute}
                    choices={[
                      { value: '', label: t('The same text for all') },
                      { value: CONTACT_NAME, label: t('Name of the contact') },
                      ...named,
                    ]}
                    onChange={(next) => change(index, { attribute: next })}
                  />
                )}
                <Input
                  label={
                    isByAttribute && attribute === ''
                      ? t('Text for {value}', { value: label })
                      : t('Default for {value}', { value: label })
                  }
                  value={text}
                  maxLength={1024}
                  dir="auto"
                  onChange={(next) => change(index, { text: next })}
                />
              </div>
            );
          })}
        </fieldset>
      )}
    </div>
  );
}
