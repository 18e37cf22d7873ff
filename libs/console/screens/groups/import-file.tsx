import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { importGroupContacts } from '../../../client/generated/sdk.gen';
import type { ContactsImportedDto, GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { type FormFields, upload } from '../../api/upload';
import { AmbiguousNumbersNote } from '../../app/columns/ambiguous-numbers-note';
import { BadRows } from '../../app/columns/bad-rows';
import { BadRowsFile } from '../../app/columns/bad-rows-file';
import { otherWarnings } from '../../app/columns/check-warnings';
import { columnOfError, type ColumnField } from '../../app/columns/column-mapping';
import { ColumnMappingFields } from '../../app/columns/column-mapping-fields';
import { FIRST_NAMES, LAST_NAMES } from '../../app/columns/name-headers';
import { CountryField, lacksCountry } from '../../app/columns/country-field';
import { cellLanguageOf } from '../../app/columns/list-place';
import { ListPlaceFields } from '../../app/columns/list-place-fields';
import { UnlikelyNumbersNote } from '../../app/columns/unlikely-numbers-note';
import { type ChosenFile, type ColumnCheck, useColumnCheck } from '../../app/columns/use-column-check';
import { LocalDisplayNote } from '../../app/columns/local-display-note';
import { useSendOnce } from '../../app/send-once';
import { locale, t } from '../../language/translate';
import { ServiceTexts } from '../../ui/error-words';
import { FileDrop } from '../../ui/file-drop';
import { FormDialog } from '../../ui/form-dialog';
import { count } from '../../ui/format';
import { Stat, Stats } from '../../ui/stat';
import { ErrorLine, Note } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { UploadProgress } from '../../ui/upload-progress';
import { queryKeys } from '../../api/query-keys';

type ImportForm = Parameters<typeof importGroupContacts>[0]['body'];

const FIELDS: readonly ColumnField[] = [
  { key: 'phone', label: t('Phone'), required: true },
  { key: 'name', label: t('Name'), required: false, listed: true, headers: [FIRST_NAMES] },
  {
    ...{ key: 'lastName', label: t('Last name'), required: false, headers: [LAST_NAMES] },
    beside: { key: 'name', headers: FIRST_NAMES },
  },
  { key: 'userId', label: t('User id'), required: false },
];
const NO_OTHER_FIELDS = {};

/** The dialog to import a file into a group; shows the use of its columns, and checks the file first. */
export function ImportFile({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [sent, setSent] = useState(0);
  const path = `/groups/${group.id}/contacts/import`;
  const check = useColumnCheck<ContactsImportedDto>({
    ...{ path, chosen, request: NO_OTHER_FIELDS, fields: FIELDS, purpose: 'contacts' },
    language: cellLanguageOf(locale()),
  });
  const importOnce = useSendOnce(
    useCallback(
      (form: FormFields) => {
        setSent(0);
        return upload<ContactsImportedDto>(path, form, { onProgress: setSent });
      },
      [path],
    ),
  );
  const imported = useMutation({
    mutationFn: () => importOnce({ ...check.form, file: chosen?.file }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(
        t('{count, plural, one {# contact} other {# contacts}} added', { count: answer.added }),
        answer.updated > 0 ? t('{count, number} updated', { count: answer.updated }) : undefined,
      );
      onClose();
    },
  });
  const choose = (file: File) => {
    imported.reset();
    setChosen({ file, number: (chosen?.number ?? 0) + 1, earlierPlace: check.chosenPlace });
  };
  const { sources, mapping, result: found } = check;
  const usable = found ? found.added + found.updated : 0;
  const isReady = usable > 0 && !check.isStale && !check.isChecking;
  const hasHeader = sources.some(({ source, label }) => source === label);
  return (
    <FormDialog
      wide
      title={t('Import file')}
      lead={t('Each row becomes a contact of the group. Every column under a header is kept as a contact field.')}
      action={
        usable > 0 ? t('Import {count, plural, one {# contact} other {# contacts}}', { count: usable }) : t('Import')
      }
      disabled={!isReady}
      mutation={imported}
      onSubmit={() => {
        if (!isReady) return;
        if (check.isUncertain) check.confirm();
        imported.mutate();
      }}
      onClose={onClose}
    >
      <FileDrop
        label={t('Drop an Excel or CSV file here')}
        hint={t('The file is checked first. Nothing changes until you confirm.')}
        accept=".xlsx,.xls,.csv"
        file={chosen?.file ?? null}
        disabled={imported.isPending}
        onFile={(file) => file && choose(file)}
      />
      <ListPlaceFields check={check} disabled={imported.isPending} />
      {check.isChecking && <UploadProgress sent={check.sent} working={t('Checking the file…')} />}
      {check.error !== null && <ErrorLine error={check.error} />}
      {sources.length > 0 && (
        <ColumnMappingFields
          check={check}
          fields={FIELDS}
          unused={(columns) =>
            hasHeader
              ? t('Only kept as contact fields: {columns}.', { columns })
              : t('Not kept, as they have no header: {columns}.', { columns })
          }
          disabled={imported.isPending}
        />
      )}
      {(check.showsCountry || lacksCountry(found?.errors ?? [], columnOfError('phone', mapping, sources))) && (
        <CountryField country={check.country} onChange={check.setCountry} />
      )}
      {found && chosen && <CheckResult groupId={group.id} found={found} check={check} file={chosen.file} />}
      {imported.isPending && (
        <UploadProgress
          sent={sent}
          working={t('Adding {count, plural, one {# contact} other {# contacts}} to the group…', { count: usable })}
        />
      )}
      {sources.length > 0 && !check.isChecking && !imported.isPending && <ImportHint check={check} usable={usable} />}
    </FormDialog>
  );
}

/** What the import waits for, or what it confirms. */
function ImportHint({
  check: { missing, isStale, isUncertain, result },
  usable,
}: {
  check: ColumnCheck<ContactsImportedDto>;
  usable: number;
}) {
  const hint =
    missing.length > 0
      ? t('Choose the column of the phone numbers first.')
      : isStale
        ? isUncertain
          ? t('Confirm the columns first.')
          : t('Check the file with these columns first.')
        : usable > 0
          ? isUncertain && t('The import also confirms the columns marked “Please check”.')
          : result && t('The file has no contact to import.');
  return hint && <p className="hint">{hint}</p>;
}

function CheckResult({
  groupId,
  found,
  check: { mapping, sources, country, setCountry, form },
  file,
}: {
  groupId: string;
  found: ContactsImportedDto;
  check: ColumnCheck<ContactsImportedDto>;
  file: File;
}) {
  const { added, updated, duplicates, invalid, errors, warnings } = found;
  const others = otherWarnings(found);
  return (
    <>
      <Stats>
        <Stat label={t('New in the group')} value={count(added)} />
        <Stat label={t('Already in the group')} value={count(updated)} hint={t('Updated from the file')} />
        <Stat label={t('Repeated')} value={count(duplicates)} hint={t('The first row is used')} />
        <Stat
          label={t('Invalid rows')}
          value={count(invalid)}
          tone={invalid > 0 ? 'warning' : undefined}
          hint={t('Skipped')}
        />
      </Stats>
      <AmbiguousNumbersNote warnings={warnings} onCountry={setCountry} />
      <LocalDisplayNote check={found} />
      <UnlikelyNumbersNote warnings={warnings} />
      {others.length > 0 && (
        <Note>
          <ServiceTexts texts={others} />
        </Note>
      )}
      {errors.length > 0 && (
        <section className="stack" aria-label={t('Invalid rows')}>
          <BadRows {...{ errors, mapping, sources }} total={invalid} hasCountry={country !== ''} />
          {form && (
            <BadRowsFile
              form={form}
              file={file}
              request={(body) =>
                call(importGroupContacts, { path: { groupId }, body: body as unknown as ImportForm }, { as: 'blob' })
              }
            />
          )}
        </section>
      )}
    </>
  );
}
