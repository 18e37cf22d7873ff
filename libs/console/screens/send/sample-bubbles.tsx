import { useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { RowProblem } from '../../app/columns/row-problem';
import { rich, t } from '../../language/translate';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate, type BubbleExtras } from '../../ui/bubble/template-values';
import { IconButton } from '../../ui/button';
import { PhoneNumber } from '../../ui/phone-number';
import { phoneText } from '../../ui/phone-text';
import { Select } from '../../ui/select';
import { Note } from '../../ui/states';
import type { PreviewRow } from './campaign-columns';
import type { SendExtras } from './send-extras';
import type { SenderChoice } from './sender-choice';
import { rowName, type RowsOf, TestSend } from './test-send';

/** Previews of the message to the given rows, those that are sent first; without rows, the template with sample values. */
export function SampleBubbles({
  template,
  rows: found,
  given,
  sender: { senderId, sender },
  of = 'file',
  country = '',
}: {
  template: TemplateDto;
  /** At most one for each row number. */
  rows: readonly PreviewRow[];
  /** The extras for all; null: unknown yet. */
  given: SendExtras | null;
  sender: SenderChoice;
  /** Rows of a file, or contacts of a group. */
  of?: RowsOf;
  /** ISO 3166 country of numbers without a country code; empty: none chosen. */
  country?: string;
}) {
  const [at, setAt] = useState<number | null>(null);
  const others = found.filter((row) => !isSent(row));
  const rows = [...found.filter(isSent), ...others];
  const sendable = rows.find(({ problem }) => problem === undefined);
  const chosen = rows.find(({ rowNumber }) => rowNumber === at) ?? sendable;
  const index = chosen ? rows.indexOf(chosen) : 0;
  const shown = rows[index];
  const show = (row: PreviewRow | undefined) => setAt(row?.rowNumber ?? null);
  // A row with a problem cannot be sent, not even as a test.
  const tested = shown?.problem === undefined ? shown : sendable;
  return (
    <div className="send-preview">
      {shown && (
        <div className="send-preview-head">
          <IconButton
            icon="left"
            label={t('Previous message')}
            disabled={index === 0}
            onClick={() => show(rows[index - 1])}
          />
          <Select
            label={of === 'file' ? t('Previewed row') : t('Previewed contact')}
            hiddenLabel
            value={String(shown.rowNumber)}
            choices={rows.map((row) => ({ value: String(row.rowNumber), label: choiceName(of, row) }))}
            onChange={(row) => setAt(Number(row))}
          />
          <IconButton
            icon="right"
            label={t('Next message')}
            disabled={index === rows.length - 1}
            onClick={() => show(rows[index + 1])}
          />
        </div>
      )}
      <div aria-live="polite">
        {shown && !isSent(shown) && (
          <Note tone="warning">
            {rich('<strong>Not sent.</strong> {problem}', {
              strong: (text) => <strong>{text}</strong>,
              problem: shown.problem ? (
                <RowProblem {...shown.problem} hasCountry={country !== ''} />
              ) : (
                t('This person has opted out.')
              ),
            })}
          </Note>
        )}
        {shown && shown.problem === undefined && (
          <p className="hint">{rich('To {person}', { person: <PhoneNumber value={shown.person} /> })}</p>
        )}
      </div>
      <MessagePreview
        sender={sender}
        label={shown && messageTo(of, shown.rowNumber)}
        content={bubbleOfTemplate(template, shown?.values, bubbleExtras(given, shown), shown ? 'names' : 'samples')}
        hasSamples={!shown}
      />
      {shown && rows.length > 1 && <p className="hint">{placeText(index + 1, rows.length, others.length)}</p>}
      {shown && tested && (
        <TestSend
          template={template}
          row={tested}
          of={of}
          isOtherRow={tested !== shown}
          country={country}
          extras={given?.fields ?? {}}
          senderId={senderId}
          onSend={() => show(tested)}
        />
      )}
    </div>
  );
}

function isSent({ problem, optedOut }: PreviewRow): boolean {
  return problem === undefined && !optedOut;
}

function choiceName(of: RowsOf, { rowNumber, problem, optedOut, person }: PreviewRow): string {
  const row = rowName(of, rowNumber);
  const name = problem ? t('{row} – problem', { row }) : optedOut ? t('{row} – opted out', { row }) : row;
  return person ? `${name} · ${phoneText(person)}` : name;
}

function messageTo(of: RowsOf, number: number): string {
  return of === 'file'
    ? t('Message to row {number, number}', { number })
    : t('Message to contact {number, number}', { number });
}

function placeText(place: number, all: number, notSent: number): string {
  if (notSent === 0) return t('{place, number} of {all, number} to preview', { place, all });
  if (notSent === all)
    return t('{place, number} of {all, number} to preview, none of them will be sent', { place, all });
  return t('{place, number} of {all, number} to preview, {notSent, number} of them not sent', { place, all, notSent });
}

/** The person's own media instead of that for all. */
function bubbleExtras(given: SendExtras | null, row: PreviewRow | undefined): BubbleExtras {
  const { headerMediaId, headerMediaUrl, headerMediaFileName } = row?.extras ?? {};
  if (headerMediaId === undefined && headerMediaUrl === undefined) return given?.bubble ?? {};
  return { ...given?.bubble, src: null, fileName: headerMediaFileName ?? headerMediaUrl?.split('/').at(-1) ?? null };
}
