import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first field of the form that shows an error, which scrolls it into view, whenever `cause` changes and is truthy. */
export function useFocusError(form: RefObject<HTMLElement | null>, cause: unknown): void {
  useEffect(() => {
    if (!cause) return;
    const shown = form.current?.querySelector('.field-error');
    // The error of a file is below its drop area.
    const field = shown?.closest('.field') ?? shown?.previousElementSibling;
    field?.querySelector<HTMLElement>('input:not([type=file]), textarea, button')?.focus();
  }, [form, cause]);
}
