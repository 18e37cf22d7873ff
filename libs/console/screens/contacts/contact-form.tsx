import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createContact, updateContact } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { withCallingCode } from '../../app/calling-codes';
import { useNumberCountry } from '../../app/columns/default-country';
import { PhoneField } from '../../app/phone-field';
import { useSendOnce } from '../../app/send-once';
import { rich, t } from '../../language/translate';
import { fieldErrorOf } from '../../app/field-problem';
import { Button, IconButton } from '../../ui/button';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { showToast } from '../../ui/toast';
import { valuesOf } from './contact-fields';

const MAX_ATTRIBUTES = 50;

/** The values of the form fields. */
interface Fields {
  phone: string;
  name: string;
  /** Template values in placeholder order, from "1". */
  values: readonly string[];
  attributes: readonly Attribute[];
}

/** One fact about the person, by name. */
interface Attribute {
  name: string;
  value: string;
}

/** The dialog to add a contact. */
export function NewContact({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const create = useSendOnce(
    useCallback(({ phone, name, values, attributes }: Fields, idempotencyKey: string) => {
      const known = { parameters: parametersOf(values), attributes: attributesOf(attributes) };
      const body = { phone, ...(name && { name }), ...known };
      return call(createContact, { body }, { idempotencyKey });
    }, []),
  );
  return (
    <ContactDialog
      title={t('Add contact')}
      action={t('Add')}
      onClose={onClose}
      save={async (fields) => {
        const contact = await create(fields);
        await queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
        showToast(t('Contact added'));
        navigate(`/contacts/${contact.id}`);
      }}
    />
  );
}

/** The dialog to edit a contact. */
export function ChangeContact({ contact, onClose }: { contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <ContactDialog
      title={t('Edit contact')}
      action={t('Save')}
      contact={contact}
      onClose={onClose}
      save={async ({ phone, name, values, attributes }) => {
        const known = { parameters: parametersOf(values), attributes: attributesOf(attributes) };
        const body = { ...(phone && { phone }), name: name || null, ...known };
        await call(updateContact, { path: { contactId: contact.id }, body });
        await queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
        showToast(t('Contact saved'));
      }}
    />
  );
}

function ContactDialog({
  title,
  action,
  contact,
  save,
  onClose,
}: {
  title: string;
  action: string;
  contact?: ContactDto;
  save: (fields: Fields) => Promise<void>;
  onClose: () => void;
}) {
  const [fields, setFields] = useState<Fields>({
    phone: contact?.phone ?? '',
    name: contact?.name ?? '',
    values: valuesOf(contact?.parameters),
    attributes: Object.entries(contact?.attributes ?? {}).map(([name, value]) => ({ name, value })),
  });
  const home = useNumberCountry();
  const saved = useMutation({ mutationFn: save, onSuccess: onClose });
  const failure = saved.isError ? asMessagingError(saved.error) : null;
  const isShownByFields =
    failure?.errors.length && failure.errors.every(({ field }) => field === 'phone' || field === 'name');
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  return (
    <FormDialog
      title={title}
      action={action}
      leaves={!contact}
      disabled={fields.phone.trim() === '' && !contact?.userId}
      mutation={saved}
      error={isShownByFields ? null : failure}
      onSubmit={() => {
        const phone = withCallingCode(fields.phone.trim(), home.country);
        saved.mutate({ ...fields, phone, name: fields.name.trim() });
      }}
      onClose={onClose}
    >
      <PhoneField
        value={fields.phone}
        home={home}
        error={fieldErrorOf(failure, 'phone')}
        onChange={(phone) => set({ phone })}
      />
      <Input
        label={t('Name')}
        autoComplete="off"
        dir="auto"
        error={fieldErrorOf(failure, 'name')}
        value={fields.name}
        onChange={(name) => set({ name })}
      />
      {contact?.userId && !contact.phone && (
        <p className="hint">
          {rich('The person hides the number. WhatsApp user ID: <code>{id}</code>', {
            id: contact.userId,
            code: (text) => <code>{text}</code>,
          })}
        </p>
      )}
      <Attributes attributes={fields.attributes} onChange={(attributes) => set({ attributes })} />
      <Values values={fields.values} onChange={(values) => set({ values })} />
    </FormDialog>
  );
}

function Attributes({
  attributes,
  onChange,
}: {
  attributes: readonly Attribute[];
  onChange: (attributes: readonly Attribute[]) => void;
}) {
  const change = (index: number, changed: Partial<Attribute>) =>
    onChange(attributes.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <fieldset className="values">
      <legend>{t('Contact fields')}</legend>
      <p className="hint">{t('What you know about the person. Sends to groups can fill placeholders with them.')}</p>
      {attributes.map(({ name, value }, index) => (
        <div key={index} className="attributes-line">
          <Input
            label={t('Contact field {number}', { number: index + 1 })}
            dir="auto"
            placeholder={t('City')}
            maxLength={60}
            value={name}
            onChange={(text) => change(index, { name: text })}
          />
          <Input
            label={name.trim() ? t('{name} is', { name: name.trim() }) : t('Text {number}', { number: index + 1 })}
            dir="auto"
            placeholder={t('Berlin')}
            maxLength={1024}
            value={value}
            onChange={(text) => change(index, { value: text })}
          />
          <IconButton
            icon="close"
            label={t('Remove contact field {name}', { name: name || index + 1 })}
            onClick={() => onChange(attributes.filter((_one, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon="plus"
          disabled={attributes.length >= MAX_ATTRIBUTES}
          onClick={() => onChange([...attributes, { name: '', value: '' }])}
        >
          {t('Add contact field')}
        </Button>
      </div>
    </fieldset>
  );
}

function Values({ values, onChange }: { values: readonly string[]; onChange: (values: string[]) => void }) {
  return (
    <fieldset className="values">
      <legend>{t('Template values')}</legend>
      <p className="hint">{t('Fill the placeholders of a template, in order, when you send to a group.')}</p>
      {values.map((value, index) => (
        <div key={index} className="values-line">
          <Input
            label={t('Value {number}', { number: index + 1 })}
            dir="auto"
            value={value}
            onChange={(text) => onChange(values.map((one, at) => (at === index ? text : one)))}
          />
          {index === values.length - 1 && (
            <IconButton
              icon="close"
              label={t('Remove value {number}', { number: index + 1 })}
              onClick={() => onChange(values.slice(0, -1))}
            />
          )}
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => onChange([...values, ''])}>
          {t('Add value')}
        </Button>
      </div>
    </fieldset>
  );
}

/** The attributes by name; those without a name or a text are omitted. */
function attributesOf(attributes: readonly Attribute[]): Record<string, string> {
  const named = attributes.map(({ name, value }) => [name.trim(), value.trim()] as const);
  return Object.fromEntries(named.filter(([name, value]) => name !== '' && value !== ''));
}

/** The values keyed by placeholder number, as the API expects them; empty values are omitted. */
function parametersOf(values: readonly string[]): Record<string, string> {
  const numbered = values.map((value, index) => [String(index + 1), value.trim()] as const);
  return Object.fromEntries(numbered.filter(([, value]) => value !== ''));
}
