import type { ReactNode } from 'react';
import { t } from '../../language/translate';
import { Input } from '../../ui/field';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { Switch } from '../../ui/switch';
import { exampleField, placeholdersOf } from './body-draft';
import { BodyText } from './body-text';
import { ButtonFields } from './button-fields';
import { ExampleMedia } from './example-media';
import { exampleFormat } from './example-types';
import type { Draft } from './template-draft';
import { KIND_RULES } from './template-kinds';

const HEADERS = {
  None: t('No header'),
  Text: t('Text'),
  Image: t('Image'),
  Video: t('Video'),
  Document: t('Document'),
  Location: t('Location'),
  Product: t('Product'),
} as const;
const FORMATS = [
  { value: 'Positional', label: t('Numbers: {{1}}, {{2}}') },
  { value: 'Named', label: t('Names: {{first_name}}') },
] as const;
const MAX_LENGTH = { header: 60, body: 1024, offerBody: 600, productBody: 160, offer: 16, footer: 60 };

/** Props of a part of the form. */
interface PartProps {
  draft: Draft;
  /** The validation message of a field of the API, such as `body.text`. */
  problem: (field: string) => ReactNode;
  onChange: (changed: Partial<Draft>) => void;
}

/** The header, for kinds of templates with a choice or contents of their own. */
export function HeaderFields({
  draft,
  round,
  problem,
  onChange,
  onUploaded,
}: PartProps & {
  /** Changes when the file has to be chosen again. */
  round: number;
  onUploaded: (handle: string, src: string | null, fileName: string) => void;
}) {
  const { kind, headerFormat, headerText, headerExample } = draft;
  // A stored template may have another one.
  const formats = [...new Set([...KIND_RULES[kind].headers, headerFormat])];
  const example = exampleFormat(draft);
  if (formats.length === 1 && headerFormat !== 'Text') return null;
  return (
    <Panel title={t('Header')}>
      <div className="stack">
        {formats.length > 1 && (
          <Select
            label={t('Header')}
            value={headerFormat}
            choices={formats.map((value) => ({ value, label: HEADERS[value] }))}
            error={problem('header')}
            onChange={(format) => {
              onUploaded('', null, '');
              onChange({ headerFormat: format });
            }}
          />
        )}
        {headerFormat === 'Text' && (
          <Input
            label={t('Header text')}
            name="header.text"
            value={headerText}
            dir="auto"
            hint={charactersUsed(headerText, MAX_LENGTH.header)}
            error={problem('header.text')}
            onChange={(text) => onChange({ headerText: text })}
          />
        )}
        {headerFormat === 'Text' && placeholdersOf(headerText).length > 0 && (
          <Input
            label={t('Header example')}
            name="header.example"
            value={headerExample}
            dir="auto"
            error={problem('header.example')}
            onChange={(text) => onChange({ headerExample: text })}
          />
        )}
        {example && (
          <ExampleMedia
            format={example}
            key={[headerFormat, round].join(' ')}
            label={t('Drop an example here')}
            problem={problem('header.exampleHandle')}
            onUploaded={onUploaded}
          />
        )}
      </div>
    </Panel>
  );
}

/** The texts: body with examples, offer and footer. */
export function TextFields({ draft, isNew, problem, onChange }: PartProps & { isNew: boolean }) {
  const { kind, bodyText, offerText, footerText } = draft;
  const mostInBody =
    kind === 'Offer' ? MAX_LENGTH.offerBody : kind === 'Product' ? MAX_LENGTH.productBody : MAX_LENGTH.body;
  return (
    <Panel title={t('Text')}>
      <div className="stack">
        {kind === 'Offer' && (
          <>
            <Input
              label={t('Offer')}
              name="offer.text"
              value={offerText}
              dir="auto"
              placeholder={t('Ends soon!')}
              hint={charactersUsed(offerText, MAX_LENGTH.offer)}
              error={problem('offer.text')}
              onChange={(text) => onChange({ offerText: text })}
            />
            <Switch
              label={t('Show a countdown')}
              checked={draft.hasExpiration}
              onChange={(hasExpiration) => onChange({ hasExpiration })}
            />
          </>
        )}
        <BodyText
          draft={draft}
          hint={charactersUsed(bodyText, mostInBody)}
          error={problem('body.text') ?? problem('body')}
          onChange={(text) => onChange({ bodyText: text })}
        />
        <Select
          label={t('Variable format')}
          value={draft.parameterFormat}
          choices={FORMATS}
          disabled={!isNew}
          onChange={(parameterFormat) => onChange({ parameterFormat })}
        />
        {placeholdersOf(bodyText).map((name, index) => {
          const field = exampleField(draft, name, index);
          return (
            <Input
              key={name}
              label={t('Example for {variable}', { variable: `{{${name}}}` })}
              name={field}
              value={draft.examples[name] ?? ''}
              dir="auto"
              error={problem(field) ?? (index === 0 ? problem('body.examples') : undefined)}
              onChange={(example) => onChange({ examples: { ...draft.examples, [name]: example } })}
            />
          );
        })}
        {KIND_RULES[kind].hasFooter && (
          <Input
            label={t('Footer')}
            name="footer.text"
            value={footerText}
            dir="auto"
            hint={charactersUsed(footerText, MAX_LENGTH.footer)}
            error={problem('footer.text')}
            onChange={(text) => onChange({ footerText: text })}
          />
        )}
      </div>
    </Panel>
  );
}

/** The texts of a one-time password, which WhatsApp provides, and its button. */
export function PasswordPart({ draft, problem, onChange }: PartProps) {
  return (
    <Panel title={t('Text')}>
      <div className="stack">
        <p className="hint">{t('WhatsApp provides the text of one-time passwords in each language.')}</p>
        <Switch
          label={t('Add a security warning')}
          checked={draft.securityRecommendation}
          onChange={(securityRecommendation) => onChange({ securityRecommendation })}
        />
        <Input
          label={t('Validity in minutes')}
          name="codeExpirationMinutes"
          inputMode="numeric"
          value={draft.expirationMinutes}
          error={problem('codeExpirationMinutes')}
          onChange={(minutes) => onChange({ expirationMinutes: minutes.replaceAll(/\D/g, '') })}
        />
        <ButtonPart draft={draft} problem={problem} onChange={onChange} />
      </div>
    </Panel>
  );
}

/** The buttons of the message. */
export function ButtonPart({ draft: { kind, buttons }, problem, onChange }: PartProps) {
  const { buttons: fixed, addable } = KIND_RULES[kind];
  return (
    <ButtonFields
      buttons={buttons}
      fixed={fixed.map(({ type }) => type)}
      addable={addable}
      problem={problem}
      onChange={(changed) => onChange({ buttons: changed })}
    />
  );
}

/** The character count of a text; like WhatsApp, counts an emoji as one character. */
export function charactersUsed(text: string, maxLength: number): string {
  return t('{used} of {maximum} characters.', { used: [...text].length, maximum: maxLength });
}
