import { importBulkMessages } from '../../../client/generated/sdk.gen';
import type { FileCheckDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { BadRows } from '../../app/columns/bad-rows';
import { BadRowsFile } from '../../app/columns/bad-rows-file';
import type { ColumnCheck } from '../../app/columns/use-column-check';

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
      {form && (
        <BadRowsFile
          form={form}
          file={file}
          request={(body) => call(importBulkMessages, { body: body as unknown as ImportForm }, { as: 'blob' })}
        />
      )}
    </div>
  );
}
