import { placeholdersOf } from './body-draft';
import type { Draft } from './template-draft';

/** A text and the part of it that is selected, as in a text field. */
export interface SelectedText {
  text: string;
  start: number;
  end: number;
}

/** The characters around bold, italic and struck text in a message. */
export type Mark = '*' | '_' | '~';

/** Puts the selected words between marks, or removes those around them; without a selection the caret is then between the marks. */
export function toggleMark({ text, start, end }: SelectedText, mark: Mark): SelectedText {
  const selected = text.slice(start, end);
  // A mark beside a blank is shown as it is.
  const from = start + (selected.trim() === '' ? 0 : selected.length - selected.trimStart().length);
  const words = selected.trim();
  const to = from + words.length;
  const isMarked = words !== '' && text[from - 1] === mark && text[to] === mark;
  return isMarked
    ? { text: text.slice(0, from - 1) + words + text.slice(to + 1), start: from - 1, end: to - 1 }
    : { text: text.slice(0, from) + mark + words + mark + text.slice(to), start: from + 1, end: to + 1 };
}

/** Replaces the selection by a placeholder that the text does not have yet. A name is then selected, to be typed over. */
export function insertPlaceholder({ text, start, end }: SelectedText, format: Draft['parameterFormat']): SelectedText {
  const taken = new Set(placeholdersOf(text.slice(0, start) + text.slice(end)));
  let number = 1;
  const nameOf = (n: number) => (format === 'Positional' ? String(n) : `variable_${n}`);
  while (taken.has(nameOf(number))) number++;
  const name = nameOf(number);
  const next = `${text.slice(0, start)}{{${name}}}${text.slice(end)}`;
  return format === 'Positional'
    ? { text: next, start: start + name.length + 4, end: start + name.length + 4 }
    : { text: next, start: start + 2, end: start + 2 + name.length };
}
