import { useMutation } from '@tanstack/react-query';
import type { FormFields } from '../../api/upload';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { saveFile } from '../../ui/save-file';
import { ErrorLine } from '../../ui/states';
import { reportLanguage } from '../report-language';

/** Downloads all bad rows of a checked file, each with its problem. */
export function BadRowsFile({
  form,
  file,
  request,
}: {
  form: FormFields;
  file: File;
  /** A dry run of the upload whose response is a file. */
  request: (body: FormFields) => Promise<unknown>;
}) {
  const download = useMutation({
    mutationFn: async (badRows: 'xlsx' | 'csv') => {
      const rows = await request({ ...form, file, dryRun: 'true', badRows, badRowsLanguage: reportLanguage() });
      saveFile(rows as Blob, `${t('{name}-bad-rows', { name: file.name.replace(/\.\w+$/, '') })}.${badRows}`);
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
