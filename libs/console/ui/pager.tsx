import { Button } from './button';
import { count } from './format';

/** Page navigation of a numbered list. */
export function Pager({
  page,
  totalPages,
  totalCount,
  onPage,
}: {
  page: number;
  totalPages: number;
  totalCount: number;
  onPage: (page: number) => void;
}) {
  return (
    <nav className="pager" aria-label="Pages">
      <span className="hint">
        {count(totalCount)} in total{totalPages > 1 && `, page ${count(page)} of ${count(totalPages)}`}
      </span>
      {totalPages > 1 && (
        <span className="row">
          <Button small icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Newer
          </Button>
          <Button small icon="right" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            Older
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
    <nav className="pager" aria-label="Pages">
      <span className="hint">
        {shown}
        {!hasMore && ' (all)'}
      </span>
      {hasMore && (
        <Button small icon="down" busy={busy} onClick={onMore}>
          Older
        </Button>
      )}
    </nav>
  );
}
