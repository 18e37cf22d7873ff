import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still shown, for the end of a request that outlives it. */
export function useMounted(): Readonly<RefObject<boolean>> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return isMounted;
}
