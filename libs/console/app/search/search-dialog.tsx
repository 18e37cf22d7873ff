import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { phoneDigits } from '../../../client/phone-digits';
import { queryKeys } from '../../api/query-keys';
import { PhoneNumber } from '../../ui/phone-number';
import { useDebounced } from '../../ui/use-debounced';
import { useSession } from '../session';
import names from './page-names.json';
import synonyms from './page-synonyms.json';
import { type Found, SOURCES } from './sources';
import { t } from '../../language/translate';

const DEBOUNCE_MS = 250;
const MIN_LENGTH = 2;

interface Group {
  value: string;
  items: Found[];
}

/** One search for pages, people, groups, conversations, campaigns, messages and templates, as far as the key may read them. */
export default function SearchDialog({ pages, onClose }: { pages: readonly Found[]; onClose: () => void }) {
  const session = useSession();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const text = useDebounced(typed.trim(), DEBOUNCE_MS);
  const isSearch = text.length >= MIN_LENGTH;
  const sources = useMemo(() => SOURCES.filter(({ scope }) => session.can(scope)), [session]);
  const { found, isPending, isError } = useQueries({
    queries: sources.map(({ title, find }) => ({
      queryKey: queryKeys.search(title, text),
      enabled: isSearch,
      queryFn: ({ signal }: { signal: AbortSignal }) => find(text, signal, (scope) => session.can(scope)),
    })),
    combine: summary,
  });
  const groups = useMemo(() => {
    const ofSources = isSearch ? sources.map(({ title }, index) => ({ value: title, items: found[index] ?? [] })) : [];
    const ofPages = { value: t('Pages'), items: pages.filter((page) => isCalled(page, text)) };
    return [...ofSources, ofPages].filter(({ items }) => items.length > 0);
  }, [isSearch, sources, found, pages, text]);
  const isLoading = typed.trim() !== text || (isSearch && isPending);
  const hasFailed = isSearch && isError;
  // Results that arrive separately would move the highlighted one under the person's hands.
  const [complete, setComplete] = useState(groups);
  if (!isLoading && complete !== groups) setComplete(groups);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog search">
          <Dialog.Title className="visually-hidden">{t('Search')}</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={complete}
            value={typed}
            onValueChange={setTyped}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ label }) => label}
          >
            <Autocomplete.Input
              className="input"
              aria-label={t('Search')}
              placeholder={t('Name, start or end of a number, campaign, group, message ID, template')}
              spellCheck={false}
              onKeyDown={(event) => {
                // The list is still that of an earlier text.
                if (event.key === 'Enter' && isLoading) event.preventBaseUIHandler();
              }}
            />
            <Autocomplete.Status className="hint search-status">
              {isLoading
                ? t('Searching…')
                : hasFailed
                  ? t('Some results could not be loaded.')
                  : complete.length === 0 && noMatches(text)}
            </Autocomplete.Status>
            <Autocomplete.List className="search-list">
              {({ value, items }: Group) => (
                <Autocomplete.Group key={value} items={items} className="search-group">
                  <Autocomplete.GroupLabel className="search-kind">{value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Found) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        className="list-item search-item"
                        onClick={() => {
                          onClose();
                          navigate(item.to);
                        }}
                      >
                        <bdi className="search-label">{shown(item.label)}</bdi>
                        <bdi className="hint cut">{shown(item.hint)}</bdi>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function summary(results: readonly UseQueryResult<Found[]>[]) {
  return {
    found: results.map(({ data }) => data),
    isPending: results.some((result) => result.isPending),
    isError: results.some((result) => result.isError),
  };
}

function noMatches(text: string): string {
  return phoneDigits(text) === null
    ? t('No matches')
    : t(
        'No matches. Numbers are found by their first digits; contacts and people who wrote to you also by the last 4 or more.',
      );
}

/** A text with its phone numbers in groups. */
function shown(text: string) {
  return text
    .split(/(\+\d{7,15})/)
    .map((part, index) => (index % 2 === 1 ? <PhoneNumber key={index} value={part} /> : part));
}

/** Whether the page has this name, or another one, in any language of the console. */
function isCalled({ label, hint, to }: Found, text: string): boolean {
  const others = [...Object.values(names), synonyms].map(
    (ofLanguage: Readonly<Record<string, string>>) => ofLanguage[to],
  );
  return [label, hint, ...others].join(' ').toLowerCase().includes(text.trim().toLowerCase());
}
