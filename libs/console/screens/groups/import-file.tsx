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
import { sayDone } from '../../ui/toast';

/** Puts the people of a file into a group: the file is checked first, and what is wrong shows row by row. */
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
      await queries.invalidateQueries({ queryKey: ['groups'] });
      void queries.invalidateQueries({ queryKey: ['contacts'] });
      sayDone(
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
      title="Import a file"
      lead="First column: phone numbers. A column with the header “name”: names. Every other column: the next value for templates."
      action={usable > 0 ? `Import ${counted(usable, 'contact')}` : 'Import'}
      disabled={!file || !found || usable === 0}
      work={imported}
      onSubmit={() => file && imported.mutate(file)}
      onClose={onClose}
    >
      <FileDrop
        label="Drop an Excel or CSV file here"
        hint="It is checked first. Nothing changes until you say so."
        accept=".xlsx,.xls,.csv"
        file={file}
        disabled={imported.isPending}
        onFile={(chosen) => chosen && choose(chosen)}
      />
      {checked.isPending && <Working sent={sent} text="Checking the file. Nothing changes yet." />}
      {checked.isError && <ErrorLine error={checked.error} />}
      {found && !checked.isPending && <Found found={found} />}
      {imported.isPending && <Working sent={sent} text={`Putting ${counted(usable, 'contact')} into the group.`} />}
    </FormDialog>
  );
}

function Working({ sent, text }: { sent: number; text: string }) {
  return (
    <p className="working" role="status">
      <span className="spinner" aria-hidden="true" /> {sent < 1 ? `Uploading the file: ${share(sent, 1)}` : text}
    </p>
  );
}

function Found({ found }: { found: ContactsImportedDto }) {
  const { added, updated, duplicates, invalid, errors, warnings } = found;
  return (
    <>
      <Stats>
        <Stat label="New in the group" value={count(added)} />
        <Stat label="In it already" value={count(updated)} hint="Updated from the file" />
        <Stat label="Twice in the file" value={count(duplicates)} hint="The first row counts" />
        <Stat
          label="Rows with problems"
          value={count(invalid)}
          tone={invalid > 0 ? 'warning' : undefined}
          hint="Left out"
        />
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
        <section aria-label="Rows with problems">
          <Table<RowErrorDto>
            label="Rows with problems"
            rows={errors}
            rowKey={({ rowNumber, field, code }) => `${rowNumber} ${field} ${code}`}
            columns={[
              { key: 'row', head: 'Row', align: 'end', cell: ({ rowNumber }) => count(rowNumber) },
              { key: 'field', head: 'Column', cell: ({ field }) => field },
              { key: 'why', head: 'What is wrong', cell: ({ message }) => message },
            ]}
          />
          {invalid > errors.length && (
            <p className="hint">
              The first {count(errors.length)} of {counted(invalid, 'row')} with problems.
            </p>
          )}
        </section>
      )}
    </>
  );
}
