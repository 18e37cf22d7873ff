import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addGroupContacts } from '../../../client/generated/sdk.gen';
import type { ContactErrorDto, ContactsAddedDto, GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { errorTitle } from '../../api/error-title';
import { isNational, withCallingCode } from '../../app/calling-codes';
import { CountryField } from '../../app/columns/country-field';
import { useNumberCountry } from '../../app/columns/default-country';
import { queryKeys } from '../../api/query-keys';
import { locale, t } from '../../language/translate';
import { ServiceText } from '../../ui/error-words';
import { TextArea } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { MAX_PEOPLE, parsePeople, type PastedPerson } from './pasted-people';

/** What to do about a line, of the errors that typed people can have. */
const REMEDIES: Readonly<Partial<Record<ContactErrorDto['code'], string>>> = {
  phone_missing: t('Write the number at the start of the line.'),
  phone_invalid: t('Correct it, or write it with its country code, such as 4915112345678.'),
  name_invalid: t('Shorten it to 128 characters, and remove invisible characters.'),
};

/** The dialog to add typed or pasted people to a group. */
export function AddMembers({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const home = useNumberCountry();
  const { contacts: typed, lines } = parsePeople(text);
  const contacts = typed.map((one) => ({ ...one, phone: withCallingCode(one.phone, home.country) }));
  const added = useMutation({
    mutationFn: () => call(addGroupContacts, { path: { groupId: group.id }, body: { contacts } }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      if (answer.invalid > 0) return;
      showToast(summaryOf(answer));
      onClose();
    },
  });
  const tooMany = contacts.length > MAX_PEOPLE;
  return (
    <FormDialog
      title={t('Add people')}
      lead={t('One per line: the number, optionally followed by a comma and a name.')}
      cancel={added.isSuccess ? t('Done', {}, 'closes a dialog') : t('Cancel')}
      action={
        contacts.length === 0
          ? t('Add')
          : t('Add {count, plural, one {# person} other {# people}}', { count: contacts.length })
      }
      disabled={contacts.length === 0 || tooMany}
      mutation={added}
      onSubmit={() => added.mutate()}
      onClose={onClose}
    >
      <TextArea
        label={t('People')}
        rows={8}
        value={text}
        spellCheck={false}
        placeholder={'+49 151 12345678, Mira Aydın\n+49 160 7654321'}
        error={
          tooMany ? t('At most {most, number} at a time. Import a file to add more.', { most: MAX_PEOPLE }) : undefined
        }
        onChange={(next) => {
          setText(next);
          added.reset();
        }}
      />
      {typed.some(({ phone }) => isNational(phone)) && (
        <CountryField
          country={home.country}
          onChange={(country) => {
            home.choose(country);
            added.reset();
          }}
        />
      )}
      {added.data && added.data.invalid > 0 && (
        <Note tone="warning">
          <p>
            {t('{summary}. {count, plural, one {# line} other {# lines}} not added:', {
              summary: summaryOf(added.data),
              count: added.data.invalid,
            })}
          </p>
          <ul>
            {added.data.errors.slice(0, 20).map((one) => (
              <li key={one.index}>
                {t('Line {number}, “{start}”:', {
                  number: lines[one.index] ?? one.index + 1,
                  start: startOf(typed[one.index]),
                })}{' '}
                <LineProblem {...one} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </FormDialog>
  );
}

/** What is wrong with a line, and what to do. */
function LineProblem({ code, message }: Pick<ContactErrorDto, 'code' | 'message'>) {
  const remedy = REMEDIES[code];
  return remedy ? t('{problem}: {remedy}', { problem: errorTitle(code), remedy }) : <ServiceText text={message} />;
}

/** What people find the line by. */
function startOf(person: PastedPerson | undefined): string {
  return (person?.phone || person?.name || '').slice(0, 30);
}

function summaryOf({ added, updated, duplicates }: ContactsAddedDto): string {
  const parts = [t('{count, number} added', { count: added })];
  if (updated > 0) parts.push(t('{count, number} already in the group', { count: updated }));
  if (duplicates > 0) {
    parts.push(t('{count, number} repeated', { count: duplicates }));
  }
  return new Intl.ListFormat(locale(), { type: 'unit' }).format(parts);
}
