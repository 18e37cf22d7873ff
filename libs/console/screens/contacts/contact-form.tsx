import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createContact, updateContact } from '../../../client/generated/sdk.gen';
import type { ContactDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { Button, IconButton } from '../../ui/button';
import { Input } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { sayDone } from '../../ui/toast';

/** What stands in the fields. */
interface Fields {
  phone: string;
  name: string;
  /** The values of placeholders: "1" first. */
  values: readonly string[];
}

/** Adds somebody. */
export function NewContact({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const create = useSendOnce(
    useCallback(({ phone, name, values }: Fields, idempotencyKey: string) => {
      const body = { phone, ...(name && { name }), parameters: parametersOf(values) };
      return call(createContact, { body }, { idempotencyKey });
    }, []),
  );
  return (
    <ContactDialog
      title="Add a contact"
      action="Add"
      onClose={onClose}
      save={async (fields) => {
        const contact = await create(fields);
        await queries.invalidateQueries({ queryKey: ['contacts'] });
        sayDone('The contact is added');
        navigate(`/contacts/${contact.id}`);
      }}
    />
  );
}

/** Changes what is known of somebody. */
export function ChangeContact({ contact, onClose }: { contact: ContactDto; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <ContactDialog
      title="Change the contact"
      action="Save"
      contact={contact}
      onClose={onClose}
      save={async ({ phone, name, values }) => {
        const body = { ...(phone && { phone }), name: name || null, parameters: parametersOf(values) };
        await call(updateContact, { path: { contactId: contact.id }, body });
        await queries.invalidateQueries({ queryKey: ['contacts'] });
        sayDone('The contact is saved');
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
  });
  const saved = useMutation({ mutationFn: save, onSuccess: onClose });
  const refused = saved.isError ? asMessagingError(saved.error) : null;
  const errorOf = (field: string) => refused?.errors.find((one) => one.field === field)?.message;
  const hasPlace = refused?.errors.length && refused.errors.every(({ field }) => field === 'phone' || field === 'name');
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  return (
    <FormDialog
      title={title}
      action={action}
      disabled={fields.phone.trim() === '' && !contact?.userId}
      work={saved}
      error={hasPlace ? null : refused}
      onSubmit={() => saved.mutate({ ...fields, phone: fields.phone.trim(), name: fields.name.trim() })}
      onClose={onClose}
    >
      <Input
        label="Phone number"
        type="tel"
        autoComplete="off"
        placeholder="+49 151 12345678"
        hint="With the country code, such as +49."
        error={errorOf('phone')}
        value={fields.phone}
        onChange={(phone) => set({ phone })}
      />
      <Input
        label="Name"
        autoComplete="off"
        dir="auto"
        error={errorOf('name')}
        value={fields.name}
        onChange={(name) => set({ name })}
      />
      <Values values={fields.values} onChange={(values) => set({ values })} />
    </FormDialog>
  );
}

function Values({ values, onChange }: { values: readonly string[]; onChange: (values: string[]) => void }) {
  return (
    <fieldset className="values">
      <legend>Values for templates</legend>
      <p className="hint">What a send to a group puts into the placeholders of a template, in their order.</p>
      {values.map((value, index) => (
        <div key={index} className="values-line">
          <Input
            label={`Value ${index + 1}`}
            dir="auto"
            value={value}
            onChange={(text) => onChange(values.map((one, at) => (at === index ? text : one)))}
          />
          {index === values.length - 1 && (
            <IconButton
              icon="close"
              label={`Remove value ${index + 1}`}
              onClick={() => onChange(values.slice(0, -1))}
            />
          )}
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => onChange([...values, ''])}>
          Add a value
        </Button>
      </div>
    </fieldset>
  );
}

/** The values by their numbers, as the API takes them; an empty field is no value. */
function parametersOf(values: readonly string[]): Record<string, string> {
  const numbered = values.map((value, index) => [String(index + 1), value.trim()] as const);
  return Object.fromEntries(numbered.filter(([, value]) => value !== ''));
}

/** The values in their order; a number without one is an empty field. */
export function valuesOf(parameters: Record<string, unknown> = {}): string[] {
  const last = Math.max(0, ...Object.keys(parameters).map(Number));
  return Array.from({ length: last }, (_, index) => {
    const value = parameters[String(index + 1)];
    return typeof value === 'string' ? value : '';
  });
}
