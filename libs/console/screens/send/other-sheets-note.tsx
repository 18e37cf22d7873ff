import { sheetsOf } from '../../app/columns/list-place';
import { rich } from '../../language/translate';
import { Note } from '../../ui/states';

/** Says which sheet of a workbook is read, if others have rows and none was chosen. */
export function OtherSheetsNote({ warnings }: { warnings: readonly string[] }) {
  const sheets = sheetsOf(warnings);
  return (
    sheets && (
      <Note tone="warning">
        {rich('Only the sheet “{sheet}” is read. Other sheets with rows: {others}.', {
          sheet: <bdi>{sheets.read}</bdi>,
          others: <bdi>{sheets.others.join(', ')}</bdi>,
        })}
      </Note>
    )
  );
}
