import { useQueryClient } from '@tanstack/react-query';
import { importGroupContacts } from '../../../client/generated/sdk.gen';
import type { GroupDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ColumnField } from '../../app/columns/column-mapping';
import { FIRST_NAMES, LAST_NAMES } from '../../app/columns/name-headers';
import { t } from '../../language/translate';
import { showToast } from '../../ui/toast';
import { FileImport } from './file-import';

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

/** The dialog to import a file into a group. */
export function ImportFile({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <FileImport
      of={{
        path: `/groups/${group.id}/contacts/import`,
        fields: FIELDS,
        purpose: 'contacts',
        title: t('Import file'),
        lead: t('Each row becomes a contact of the group. Every column under a header is kept as a contact field.'),
        action: (count) => t('Import {count, plural, one {# contact} other {# contacts}}', { count }),
        unused: (columns, hasHeader) =>
          hasHeader
            ? t('Only kept as contact fields: {columns}.', { columns })
            : t('Not kept, as they have no header: {columns}.', { columns }),
        added: t('New in the group'),
        updated: { label: t('Already in the group'), hint: t('Updated from the file') },
        working: (count) => t('Adding {count, plural, one {# contact} other {# contacts}} to the group…', { count }),
        nobody: t('The file has no contact to import.'),
        badRows: (body) =>
          call(
            importGroupContacts,
            { path: { groupId: group.id }, body: body as unknown as ImportForm },
            { as: 'blob' },
          ),
      }}
      onImported={async ({ added, updated }) => {
        await queries.invalidateQueries({ queryKey: queryKeys.groups.all });
        void queries.invalidateQueries({ queryKey: queryKeys.contacts.all });
        showToast(
          t('{count, plural, one {# contact} other {# contacts}} added', { count: added }),
          updated > 0 ? t('{count, number} updated', { count: updated }) : undefined,
        );
      }}
      onClose={onClose}
    />
  );
}
