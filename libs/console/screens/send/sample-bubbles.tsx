import { useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate, type HeaderExtras } from '../../ui/bubble/template-values';
import { IconButton } from '../../ui/button';
import { count } from '../../ui/format';
import { PhoneNumber } from '../../ui/phone-number';
import { Select } from '../../ui/select';
import { Note } from '../../ui/states';
import type { PreviewRow } from './campaign-columns';

/** Previews of the message to the given rows; without rows, the template with its variables. */
export function SampleBubbles({
  template,
  rows,
  extras,
  rowWord = 'Row',
}: {
  template: TemplateDto;
  /** At most one for each row number. */
  rows: readonly PreviewRow[];
  extras: HeaderExtras;
  /** `Row` of a file, or `Contact` of a group. */
  rowWord?: 'Row' | 'Contact';
}) {
  const [at, setAt] = useState<number | null>(null);
  const index = Math.max(
    0,
    rows.findIndex(({ rowNumber }) => rowNumber === at),
  );
  const shown = rows[index];
  const step = (by: number) => setAt(rows[index + by]?.rowNumber ?? null);
  const problems = rows.filter(({ problem }) => problem !== undefined).length;
  return (
    <div className="send-preview">
      {shown && (
        <div className="send-preview-head">
          <IconButton icon="left" label="Previous message" disabled={index === 0} onClick={() => step(-1)} />
          <Select
            label={`Previewed ${rowWord.toLowerCase()}`}
            hiddenLabel
            value={String(shown.rowNumber)}
            choices={rows.map(({ rowNumber, problem, person }) => ({
              value: String(rowNumber),
              label: `${rowWord} ${count(rowNumber)}${problem === undefined ? '' : ' – problem'}${person && ` · ${person}`}`,
            }))}
            onChange={(row) => setAt(Number(row))}
          />
          <IconButton icon="right" label="Next message" disabled={index === rows.length - 1} onClick={() => step(1)} />
        </div>
      )}
      <div aria-live="polite">
        {shown?.problem !== undefined && (
          <Note tone="warning">
            <strong>Not sent.</strong> {shown.problem}
          </Note>
        )}
        {shown && shown.problem === undefined && (
          <p className="hint">
            To <PhoneNumber value={shown.person} />
          </p>
        )}
      </div>
      <div className="bubble-wall">
        <MessageBubble
          label={shown ? `Message to ${rowWord.toLowerCase()} ${count(shown.rowNumber)}` : 'Message'}
          content={bubbleOfTemplate(template, shown?.values, extras)}
        />
      </div>
      {shown && rows.length > 1 && (
        <p className="hint">
          {count(index + 1)} of {count(rows.length)} to preview
          {problems > 0 && `, ${problems === rows.length ? 'all' : count(problems)} with problems`}
        </p>
      )}
    </div>
  );
}
