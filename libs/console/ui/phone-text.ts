type Grouping = (digits: string) => string;

/** Loaded with the first number: the rules of all countries are a third of the console's first load. */
let grouping: Grouping | undefined;

/** A phone number in the digit groups of its country, ungrouped until the rules are loaded; any other text unchanged. */
export function phoneText(value: string): string {
  const digits = /^\+?(\d{7,15})$/.exec(value)?.[1];
  if (digits === undefined) return value;
  return grouping ? grouping(digits) : `+${digits}`;
}

/** Loads the rules and calls `onLoad`, unless they are loaded. */
export function loadGroups(onLoad: () => void): void {
  if (grouping) return;
  import('./national-groups').then(
    ({ nationalGroups }) => {
      grouping = nationalGroups;
      onLoad();
    },
    // Without the rules the number is still readable.
    () => undefined,
  );
}
