import type { KeyboardEvent } from 'react';

/** Moves the focus between `row-link` elements with the arrow keys. */
export function focusNextRowLink(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  links[at + step]?.focus();
}
