import { useMutation } from '@tanstack/react-query';
import { importBulkMessages } from '../../../client/generated/sdk.gen';
import type { FileCheckDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import type { FormFields } from '../../api/upload';
import { BadRows } from '../../app/columns/bad-rows';
import type { ColumnCheck } from '../../app/columns/use-column-check';
import { reportLanguage } from '../../app/report-language';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { saveFile } from '../../ui/save-file';
import { ErrorLine } from '../../ui/states';

type ImportForm = Parameters<typeof importBulkMessages>[0]['body'];

/** The invalid rows of a checked file, to correct here or in a downloaded file. */
export function FileRows({
  found: { errors, invalidRows },
  check: { mapping, sources, country, form },
  file,
}: {
  found: FileCheckDto;
  check: ColumnCheck<FileCheckDto>;
  file: File;
}) {
  return (
    <div className="stack">
      <BadRows errors={errors} total={invalidRows} mapping={mapping} sources={sources} hasCountry={country !== ''} />
      {form && <BadRowsFile form={form} file={file} />}
    </div>
  );
}

function BadRowsFile({ form, file }: { form: FormFields; file: File }) {
  const download = useMutation({
    mutationFn: async (badRows: 'xlsx' | 'csv') => {
      const body = {
        ...form,
        file,
        dryRun: 'true',
        badRows,
        badRowsLanguage: reportLanguage(),
      } as unknown as ImportForm;
      const rows = (await call(importBulkMessages, { body }, { as: 'blob' })) as unknown as Blob;
      saveFile(rows, `${file.name.replace(/\.\w+$/, '')}-bad-rows.${badRows}`);
    },
  });
  return (
    <>
      <div className="row">
        <span className="hint">{t('All bad rows with their problems:')}</span>
        {(['xlsx', 'csv'] as const).map((format) => (
          <Button
            key={format}
            small
            icon="download"
            busy={download.isPending && download.variables === format}
            onClick={() => download.mutate(format)}
          >
            {t(format === 'xlsx' ? 'Excel' : 'CSV')}
          </Button>
        ))}
      </div>
      {download.isError && <ErrorLine error={download.error} />}
    </>
  );
}
