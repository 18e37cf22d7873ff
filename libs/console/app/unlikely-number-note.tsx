import { useQuery } from '@tanstack/react-query';
import { phoneDigits } from '../../client/phone-digits';
import { queryKeys } from '../api/query-keys';
import { t } from '../language/translate';
import { Note } from '../ui/states';
import { useDebounced } from '../ui/use-debounced';

/** Warns of a number, with its country code, that nobody may have, before anything is sent to it. */
export function UnlikelyNumberNote({ number }: { number: string }) {
  const digits = useDebounced(phoneDigits(number) ?? '');
  const { data: isLikely = true } = useQuery({
    queryKey: queryKeys.numberingPlan(digits),
    queryFn: async () => (await import('../ui/national-groups')).isInNumberingPlan(digits),
    enabled: digits !== '',
    staleTime: 'static',
  });
  if (isLikely || digits !== phoneDigits(number)) return null;
  return (
    <Note tone="warning">
      {t(
        'This number does not exist in the numbering plan of the country: a digit may be missing or wrong. Correct it, or send anyway.',
      )}
    </Note>
  );
}
