import { type FocusEvent, useState } from 'react';
import type { FieldErrorDto } from '../../../client/generated/types.gen';

/** Which problems of a form may be shown before an attempt to submit it. */
export interface LeftFields {
  /** Handlers of the form; its inputs have the API's names of their fields. */
  handlers: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
  /** Whether a person has left the field, or never entered it though it has contents. */
  mayShow: (problem: Pick<FieldErrorDto, 'field' | 'code'>) => boolean;
  reset: () => void;
}

export function useLeftFields(isEmpty: (field: string) => boolean): LeftFields {
  const [left, setLeft] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState('');
  const enter = (name: string) => {
    if (current !== '' && current !== name && !left.includes(current)) setLeft([...left, current]);
    setCurrent(name);
  };
  return {
    handlers: {
      onFocus: ({ target }) => {
        // New errors would move a button away from the pointer before its click.
        if (target instanceof HTMLButtonElement && !target.matches(':focus-visible')) return;
        enter(nameOf(target));
      },
      onBlur: ({ relatedTarget }) => {
        if (relatedTarget === null) enter('');
      },
    },
    mayShow: ({ field, code }) =>
      left.some((name) => isWithin(name, field)) ||
      (code !== 'required' && code !== 'empty' && !isEmpty(field) && !isWithin(current, field)),
    reset: () => setLeft([]),
  };
}

function nameOf(target: EventTarget): string {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.name : '';
}

/** Whether the field `name` is `field` or a part of it: `body.text` is within `body`. */
function isWithin(name: string, field: string): boolean {
  return name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`);
}
