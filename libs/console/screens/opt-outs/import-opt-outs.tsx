import { useQueryClient } from '@tanstack/react-query';
import { importOptOuts } from '../../../client/generated/sdk.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ColumnField } from '../../app/columns/column-mapping';
import { t } from '../../language/translate';
import { showToast } from '../../ui/toast';
import { FileImport } from '../groups/file-import';

type ImportForm = Parameters<typeof importOptOuts>[0]['body'];

const FIELDS: readonly ColumnField[] = [
  { key: 'phone', label: t('Phone'), required: true },
  { key: 'userId', label: t('User id'), required: false },
];

/** The dialog to opt out the people of a file. */
export function ImportOptOuts({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <FileImport
      of={{
        path: '/opt-outs/import',
        fields: FIELDS,
        purpose: 'opt-outs',
        title: t('Opt out the people of a file'),
        lead: t('Nothing will be sent to the numbers of the file. They need not be contacts.'),
        action: (count) => t('Opt out {count, plural, one {# person} other {# people}}', { count }),
        unused: (columns) => t('Not used: {columns}.', { columns }),
        added: t('New opt-outs'),
        updated: { label: t('Already opted out') },
        working: (count) => t('Opting out {count, plural, one {# person} other {# people}}…', { count }),
        nobody: t('The file has nobody to opt out.'),
        badRows: (body) => call(importOptOuts, { body: body as unknown as ImportForm }, { as: 'blob' }),
      }}
      onImported={async ({ added }) => {
        await queries.invalidateQueries({ queryKey: queryKeys.optOuts.all });
        void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
        showToast(t('{count, plural, one {# person} other {# people}} opted out', { count: added }));
      }}
      onClose={onClose}
    />
  );
}
