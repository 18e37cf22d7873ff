import { Button } from './button';
import { count } from './format';

/** Which page shows, and the ones beside it. */
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
        {count(totalCount)} in all{totalPages > 1 && `, page ${count(page)} of ${count(totalPages)}`}
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

/** The end of a list that is read piece by piece: `shown` says how much is there. */
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
        {!hasMore && ', all there are'}
      </span>
      {hasMore && (
        <Button small icon="down" busy={busy} onClick={onMore}>
          Older
        </Button>
      )}
    </nav>
  );
}
