import { useState } from 'react';
import type { SampleRecipientDto, TemplateDto } from '../../../client/generated/types.gen';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate, type HeaderExtras } from '../../ui/bubble/template-values';
import { IconButton } from '../../ui/button';
import { count } from '../../ui/format';
import { PhoneNumber } from '../../ui/phone-number';

/** Previews of the message to the first recipients; without recipients, the template with its variables. */
export function SampleBubbles({
  template,
  sample,
  extras,
  rowWord = 'Row',
}: {
  template: TemplateDto;
  sample: readonly SampleRecipientDto[];
  extras: HeaderExtras;
  /** `Row` of a file, or `Contact` of a group. */
  rowWord?: 'Row' | 'Contact';
}) {
  const [at, setAt] = useState(0);
  const shown = sample[Math.min(at, sample.length - 1)];
  const index = shown ? sample.indexOf(shown) : 0;
  return (
    <div className="send-preview">
      {shown && (
        <div className="send-preview-head">
          <IconButton icon="left" label="Previous message" disabled={index === 0} onClick={() => setAt(index - 1)} />
          <p aria-live="polite">
            {rowWord} {count(shown.rowNumber)} · <PhoneNumber value={shown.phone ?? shown.userId ?? ''} />
          </p>
          <IconButton
            icon="right"
            label="Next message"
            disabled={index === sample.length - 1}
            onClick={() => setAt(index + 1)}
          />
        </div>
      )}
      <div className="bubble-wall">
        <MessageBubble
          label={shown ? `Message to ${rowWord.toLowerCase()} ${count(shown.rowNumber)}` : 'Message'}
          content={bubbleOfTemplate(template, shown?.parameters, extras)}
        />
      </div>
      {shown && sample.length > 1 && (
        <p className="hint">
          {count(index + 1)} of the first {count(sample.length)}
        </p>
      )}
    </div>
  );
}
