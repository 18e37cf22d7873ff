/** Focuses the list of messages of the conversation that contains `part`. */
export function focusMessages(part: Element | null): void {
  part?.closest('.thread-pane')?.querySelector<HTMLElement>('.thread-scroller')?.focus();
}
