import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { insertPlaceholder, type Mark, type SelectedText, toggleMark } from './markup';
import type { Draft } from './template-draft';

const MARKS: readonly { mark: Mark; label: string; key?: string }[] = [
  { mark: '*', label: t('Bold'), key: 'b' },
  { mark: '_', label: t('Italic'), key: 'i' },
  { mark: '~', label: t('Strikethrough') },
];

interface BodyTextProps {
  draft: Draft;
  hint: string;
  error: ReactNode;
  onChange: (bodyText: string) => void;
}

/** The body of a template, with buttons for formats and variables, and Ctrl+B and Ctrl+I. */
export function BodyText({ draft: { bodyText, parameterFormat }, hint, error, onChange }: BodyTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const changed = useRef<SelectedText | null>(null);
  // React sets the text of a controlled field, and with it the caret behind the text.
  useLayoutEffect(() => {
    if (!changed.current) return;
    field.current?.focus();
    field.current?.setSelectionRange(changed.current.start, changed.current.end);
    changed.current = null;
  });
  const edit = (editor: (text: SelectedText) => SelectedText) => {
    const { selectionStart: start, selectionEnd: end } = field.current!;
    changed.current = editor({ text: bodyText, start, end });
    onChange(changed.current.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = MARKS.find(({ key }) => key === event.key.toLowerCase());
    if (!pressed || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    edit((text) => toggleMark(text, pressed.mark));
  };
  return (
    <div>
      <TextArea
        ref={field}
        label={t('Body text')}
        name="body.text"
        rows={6}
        value={bodyText}
        dir="auto"
        hint={hint}
        error={error}
        onChange={onChange}
        onKeyDown={onKeyDown}
      />
      <div className="templates-tools" role="group" aria-label={t('Format the text')}>
        {MARKS.map(({ mark, label }) => (
          <Button key={mark} variant="quiet" small onClick={() => edit((text) => toggleMark(text, mark))}>
            {label}
          </Button>
        ))}
        <Button
          variant="quiet"
          small
          icon="plus"
          onClick={() => edit((text) => insertPlaceholder(text, parameterFormat))}
        >
          {t('Add variable')}
        </Button>
      </div>
    </div>
  );
}
