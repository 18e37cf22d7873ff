import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Filters stored in the query string: `const [filters, setFilters] = useUrlFilters({ status: '', page: '1' })`.
 * Default values are omitted from the URL. Setting any filter except `page` resets to the first page.
 */
export function useUrlFilters<F extends Record<string, string>>(defaults: F): [F, (change: Partial<F>) => void] {
  const [search, setSearch] = useSearchParams();
  const defaultsJson = JSON.stringify(defaults);
  const filters = useMemo(() => {
    const names = Object.entries(JSON.parse(defaultsJson) as F);
    return Object.fromEntries(names.map(([name, value]) => [name, search.get(name) ?? value])) as F;
  }, [defaultsJson, search]);
  const change = useCallback(
    (changed: Partial<F>) => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('page' in changed)) next.delete('page');
          for (const [name, value] of Object.entries<string | undefined>(changed)) {
            if (value === undefined || value === (JSON.parse(defaultsJson) as F)[name]) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [defaultsJson, setSearch],
  );
  return [filters, change];
}
