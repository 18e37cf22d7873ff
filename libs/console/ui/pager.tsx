import { Button } from './button';
import { t } from '../language/translate';

const COUNTED_ROWS = 10_000;

/** Page navigation of a numbered list; `bounded`: the list counts 10,000 rows and those up to the next page. */
export function Pager({
  page,
  totalPages,
  totalCount,
  bounded = false,
  onPage,
}: {
  page: number;
  totalPages: number;
  totalCount: number;
  bounded?: boolean;
  onPage: (page: number) => void;
}) {
  const isCut = bounded && totalCount >= COUNTED_ROWS && page < totalPages;
  return (
    <nav className="pager" aria-label={t('Pages')}>
      <span className="hint">
        {isCut
          ? t('{count, number} or more, page {page, number}', { count: COUNTED_ROWS, page })
          : totalPages > 1
            ? t('{count, number} in total, page {page, number} of {pages, number}', {
                count: totalCount,
                page,
                pages: totalPages,
              })
            : t('{count, number} in total', { count: totalCount })}
      </span>
      {totalPages > 1 && (
        <span className="row">
          <Button small icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {t('Newer')}
          </Button>
          <Button small icon="right" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            {t('Older')}
          </Button>
        </span>
      )}
    </nav>
  );
}

/** The footer of a cursor list: `shown` is the number of loaded rows, such as “50 entries”. */
export function MorePager({
  shown,
  hasMore,
  busy,
  onMore,
}: {
  shown: string;
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}) {
  return (
    <nav className="pager" aria-label={t('Pages')}>
      <span className="hint">{hasMore ? shown : t('{shown} (all)', { shown })}</span>
      {hasMore && (
        <Button small icon="down" busy={busy} onClick={onMore}>
          {t('Older')}
        </Button>
      )}
    </nav>
  );
}
