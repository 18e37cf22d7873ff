import { useEffect, useReducer } from 'react';

type Grouping = (digits: string) => string;

/** Loaded with the first number: the rules of all countries are a third of the console's first load. */
let grouping: Grouping | undefined;

/** A phone number in the digit groups of its country; any other text is shown unchanged. */
export function PhoneNumber({ value }: { value: string }) {
  const digits = /^\+?(\d{7,15})$/.exec(value)?.[1];
  const group = useGrouping();
  return (
    <bdi className="phone" dir="ltr">
      {digits === undefined ? value : group(digits)}
    </bdi>
  );
}

/** Shows the digits ungrouped until the rules are loaded. */
function useGrouping(): Grouping {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (grouping) return;
    let isMounted = true;
    import('./national-groups').then(
      ({ nationalGroups }) => {
        grouping = nationalGroups;
        if (isMounted) render();
      },
      // Without the rules the number is still readable.
      () => undefined,
    );
    return () => void (isMounted = false);
  }, []);
  return grouping ?? ((digits) => `+${digits}`);
}
