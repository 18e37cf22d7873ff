import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/**
 * The filters of a screen, kept in its address: `const [filters, setFilters] = useUrlFilters({ status: '', page: '1' })`.
 * What has its default does not stand in the address. Setting any filter but `page` goes back to the first page.
 */
export function useUrlFilters<F extends Record<string, string>>(defaults: F): [F, (change: Partial<F>) => void] {
  const [search, setSearch] = useSearchParams();
  const kept = JSON.stringify(defaults);
  const filters = useMemo(() => {
    const names = Object.entries(JSON.parse(kept) as F);
    return Object.fromEntries(names.map(([name, value]) => [name, search.get(name) ?? value])) as F;
  }, [kept, search]);
  const change = useCallback(
    (changed: Partial<F>) => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('page' in changed)) next.delete('page');
          for (const [name, value] of Object.entries<string | undefined>(changed)) {
            if (value === undefined || value === (JSON.parse(kept) as F)[name]) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [kept, setSearch],
  );
  return [filters, change];
}
