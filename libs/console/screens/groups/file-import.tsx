import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ContactsImportedDto } from '../../../client/generated/types.gen';
import { type FormFields, upload } from '../../api/upload';
import { AmbiguousNumbersNote } from '../../app/columns/ambiguous-numbers-note';
import { BadRows } from '../../app/columns/bad-rows';
import { BadRowsFile } from '../../app/columns/bad-rows-file';
import { otherWarnings } from '../../app/columns/check-warnings';
import { columnOfError, type ColumnField } from '../../app/columns/column-mapping';
import { ColumnMappingFields } from '../../app/columns/column-mapping-fields';
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
import { UploadProgress } from '../../ui/upload-progress';

const NO_OTHER_FIELDS = {};

/** An import of the people of a file, in its own words. */
export interface FileImportOf {
  /** Of the API. */
  path: string;
  fields: readonly ColumnField[];
  /** For what the columns are remembered. */
  purpose: string;
  title: string;
  lead: string;
  /** The button, once `count` people can be imported. */
  action: (count: number) => string;
  /** The sentence on columns without a use. */
  unused: (columns: string, hasHeader: boolean) => string;
  added: string;
  updated: { label: string; hint?: string };
  /** While `count` people are imported. */
  working: (count: number) => string;
  /** The file has nobody to import. */
  nobody: string;
  /** A dry run whose response is a file with the bad rows. */
  badRows: (body: FormFields) => Promise<unknown>;
}

/** The dialog to import the people of a file; shows the use of its columns, and checks the file first. */
export function FileImport({
  of,
  onImported,
  onClose,
}: {
  of: FileImportOf;
  onImported: (answer: ContactsImportedDto) => Promise<unknown>;
  onClose: () => void;
}) {
  const { path, fields, purpose } = of;
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [sent, setSent] = useState(0);
  const check = useColumnCheck<ContactsImportedDto>({
    ...{ path, chosen, request: NO_OTHER_FIELDS, fields, purpose },
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
      await onImported(answer);
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
      title={of.title}
      lead={of.lead}
      action={usable > 0 ? of.action(usable) : t('Import')}
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
          fields={fields}
          unused={(columns) => of.unused(columns, hasHeader)}
          disabled={imported.isPending}
        />
      )}
      {(check.showsCountry || lacksCountry(found?.errors ?? [], columnOfError('phone', mapping, sources))) && (
        <CountryField country={check.country} onChange={check.setCountry} />
      )}
      {found && chosen && <CheckResult of={of} found={found} check={check} file={chosen.file} />}
      {imported.isPending && <UploadProgress sent={sent} working={of.working(usable)} />}
      {sources.length > 0 && !check.isChecking && !imported.isPending && (
        <ImportHint check={check} usable={usable} nobody={of.nobody} />
      )}
    </FormDialog>
  );
}

/** What the import waits for, or what it confirms. */
function ImportHint({
  check: { missing, isStale, isUncertain, result },
  usable,
  nobody,
}: {
  check: ColumnCheck<ContactsImportedDto>;
  usable: number;
  nobody: string;
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
          : result && nobody;
  return hint && <p className="hint">{hint}</p>;
}

function CheckResult({
  of,
  found,
  check: { mapping, sources, country, setCountry, form },
  file,
}: {
  of: FileImportOf;
  found: ContactsImportedDto;
  check: ColumnCheck<ContactsImportedDto>;
  file: File;
}) {
  const { added, updated, duplicates, invalid, errors, warnings } = found;
  const others = otherWarnings(found);
  return (
    <>
      <Stats>
        <Stat label={of.added} value={count(added)} />
        <Stat {...of.updated} value={count(updated)} />
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
          {form && <BadRowsFile form={form} file={file} request={of.badRows} />}
        </section>
      )}
    </>
  );
}
