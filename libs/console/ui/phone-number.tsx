import { useEffect, useReducer } from 'react';
import { loadGroups, phoneText } from './phone-text';

/** A phone number in the digit groups of its country; any other text is shown unchanged. */
export function PhoneNumber({ value }: { value: string }) {
  return (
    <bdi className="phone" dir="ltr">
      {usePhoneText()(value)}
    </bdi>
  );
}

/** `phoneText` for titles and the like: loads the rules, and renders the component again then. */
export function usePhoneText(): typeof phoneText {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let isMounted = true;
    loadGroups(() => isMounted && render());
    return () => void (isMounted = false);
  }, []);
  return phoneText;
}
