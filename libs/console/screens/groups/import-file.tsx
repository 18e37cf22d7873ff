import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContactsImportedDto, GroupDto, RowErrorDto } from '../../../client/generated/types.gen';
import { upload } from '../../api/upload';
import { FileDrop } from '../../ui/file-drop';
import { FormDialog } from '../../ui/form-dialog';
import { count, counted, share } from '../../ui/format';
import { Stat, Stats } from '../../ui/stat';
import { ErrorLine, Note } from '../../ui/states';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { queryKeys } from '../../api/query-keys';

/** The dialog to import a file into a group; checks the file first and lists invalid rows. */
export function ImportFile({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const send = (chosen: File, dryRun: boolean) => {
    setSent(0);
    const path = `/groups/${group.id}/contacts/import`;
    return upload<ContactsImportedDto>(path, { file: chosen, dryRun: String(dryRun) }, { onProgress: setSent });
  };
  const checked = useMutation({ mutationFn: (chosen: File) => send(chosen, true) });
  const imported = useMutation({
    mutationFn: (chosen: File) => send(chosen, false),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
      void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
      showToast(
        `${counted(answer.added, 'contact')} added`,
        answer.updated > 0 ? `${count(answer.updated)} updated` : undefined,
      );
      onClose();
    },
  });
  const choose = (chosen: File) => {
    setFile(chosen);
    imported.reset();
    checked.mutate(chosen);
  };
  const found = checked.data;
  const usable = found ? found.added + found.updated : 0;
  return (
    <FormDialog
      wide
      title="Import file"
      lead="First column: phone numbers. A column headed “name”: names. All other columns: template values, in order."
      action={usable > 0 ? `Import ${counted(usable, 'contact')}` : 'Import'}
      disabled={!file || !found || usable === 0}
      mutation={imported}
      onSubmit={() => file && imported.mutate(file)}
      onClose={onClose}
    >
      <FileDrop
        label="Drop an Excel or CSV file here"
        hint="The file is checked first. Nothing changes until you confirm."
        accept=".xlsx,.xls,.csv"
        file={file}
        disabled={imported.isPending}
        onFile={(chosen) => chosen && choose(chosen)}
      />
      {checked.isPending && <ImportProgress sent={sent} text="Checking the file…" />}
      {checked.isError && <ErrorLine error={checked.error} />}
      {found && !checked.isPending && <CheckResult found={found} />}
      {imported.isPending && <ImportProgress sent={sent} text={`Adding ${counted(usable, 'contact')} to the group…`} />}
    </FormDialog>
  );
}

function ImportProgress({ sent, text }: { sent: number; text: string }) {
  return (
    <p className="working" role="status">
      <span className="spinner" aria-hidden="true" /> {sent < 1 ? `Uploading: ${share(sent, 1)}` : text}
    </p>
  );
}

function CheckResult({ found }: { found: ContactsImportedDto }) {
  const { added, updated, duplicates, invalid, errors, warnings } = found;
  return (
    <>
      <Stats>
        <Stat label="New in the group" value={count(added)} />
        <Stat label="Already in the group" value={count(updated)} hint="Updated from the file" />
        <Stat label="Duplicates" value={count(duplicates)} hint="The first row is used" />
        <Stat label="Invalid rows" value={count(invalid)} tone={invalid > 0 ? 'warning' : undefined} hint="Skipped" />
      </Stats>
      {warnings.length > 0 && (
        <Note>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Note>
      )}
      {errors.length > 0 && (
        <section aria-label="Invalid rows">
          <Table<RowErrorDto>
            label="Invalid rows"
            rows={errors}
            rowKey={({ rowNumber, field, code }) => `${rowNumber} ${field} ${code}`}
            columns={[
              { key: 'row', head: 'Row', align: 'end', cell: ({ rowNumber }) => count(rowNumber) },
              { key: 'field', head: 'Column', cell: ({ field }) => field },
              { key: 'why', head: 'Problem', cell: ({ message }) => message },
            ]}
          />
          {invalid > errors.length && (
            <p className="hint">
              Showing the first {count(errors.length)} of {counted(invalid, 'invalid row')}.
            </p>
          )}
        </section>
      )}
    </>
  );
}
