import { useState } from 'react';
import { getTemplateSampleFile } from '../../../client/generated/sdk.gen';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { saveFile } from '../../ui/save-file';
import { ErrorLine } from '../../ui/states';

/** Downloads a sample file with the columns that a template needs. */
export function SampleFiles({ template }: { template: Pick<TemplateDto, 'id' | 'name' | 'languageCode'> }) {
  const [error, setError] = useState<unknown>(null);
  const save = async (format: 'csv' | 'xlsx') => {
    setError(null);
    try {
      const input = { path: { templateId: template.id }, query: { format } };
      const file = await call(getTemplateSampleFile, input, { as: 'blob' });
      saveFile(file, `${template.name}-${template.languageCode}-sample.${format}`);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div className="stack">
      <div className="row">
        <span className="hint">{t('Sample file:')}</span>
        <Button small variant="quiet" icon="download" onClick={() => void save('xlsx')}>
          {t('Excel')}
        </Button>
        <Button small variant="quiet" icon="download" onClick={() => void save('csv')}>
          {t('CSV')}
        </Button>
      </div>
      {error !== null && <ErrorLine error={error} />}
    </div>
  );
}
