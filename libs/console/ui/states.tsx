import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { asMessagingError, OfflineError } from '../api/call';
import type { Scope } from '../api/scopes';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { ErrorWords, ServiceText } from './error-words';
import { Icon, type IconName } from './icon';
import { useLastError } from './use-last-error';
import { useLate } from './use-late';
import { locale, rich, t } from '../language/translate';

/** A skeleton of `rows` grey bars; says so if it stays for five seconds. */
export function Loading({ rows = 4, label = t('Loading') }: { rows?: number; label?: string }) {
  const isLate = useLate();
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="skeleton-bar" aria-hidden="true" />
      ))}
      {isLate && <p className="hint">{t('Still loading…')}</p>}
    </div>
  );
}

/** An empty state with a reason; `children`: the next step. */
export function Empty({
  title,
  icon = 'overview',
  hint,
  children,
}: {
  title: string;
  icon?: IconName;
  hint?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={24} />
      </span>
      <p className="state-title">{title}</p>
      {hint && <p className="state-hint">{hint}</p>}
      {children && <div className="row">{children}</div>}
    </div>
  );
}

/** A full error state with the request id and a retry button, `busy` during the retry; shows NoScope if a scope is missing. */
export function ErrorState({ error, onRetry, busy }: { error: unknown; onRetry?: () => void; busy?: boolean }) {
  const { code, message, requestId, details } = asMessagingError(error);
  if (code === 'missing_scope') return <NoScope scopes={details.requiredScope ? [details.requiredScope] : []} />;
  // The banner above the screen says that it reconnects.
  if (error instanceof OfflineError) return <Empty title={message} icon="warning" />;
  const isUnreachable = code === 'connection_failed';
  return (
    <div className="state" data-tone="danger" role="alert">
      <span className="state-icon">
        <Icon name="warning" size={24} />
      </span>
      <p className="state-title">{isUnreachable ? t('The service is not responding') : t('Could not load this')}</p>
      <p className="state-hint">
        {isUnreachable ? t('It may be restarting. This page recovers automatically.') : <ErrorWords error={error} />}
      </p>
      {requestId && (
        <p className="state-hint">
          <RequestId id={requestId} /> <CopyButton text={requestId} label={t('Copy request ID')} />
        </p>
      )}
      {onRetry && (
        <div className="row">
          <Button icon="retry" busy={busy} onClick={onRetry}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The key lacks a scope: names those that would open the screen. */
export function NoScope({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name="lock" size={24} />
      </span>
      <p className="state-title">{t('Your key has no access')}</p>
      <p className="state-hint">
        {rich(
          "Required scope: {scopes}. Ask the person who manages this account's API keys for a key with this scope.",
          { scopes: anyOf(scopes) },
        )}
      </p>
    </div>
  );
}

/** An inline error on a screen that otherwise works. */
export function ErrorLine({ error }: { error: unknown }) {
  const { code, requestId, errors } = asMessagingError(error);
  return (
    <div className="note" data-tone="danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          {code === 'connection_failed' && !(error instanceof OfflineError) ? (
            t('The service is not responding. Try again in a moment.')
          ) : (
            <ErrorWords error={error} />
          )}
        </p>
        {errors.length > 0 && (
          <ul>
            {errors.map((one) => (
              <li key={[one.field, one.code].join()}>
                <code>{one.field}</code>: <ServiceText text={one.message} />
              </li>
            ))}
          </ul>
        )}
        {requestId && (
          <p className="hint">
            <RequestId id={requestId} />
          </p>
        )}
      </div>
    </div>
  );
}

/** The id of a request, for the operator. */
export function RequestId({ id }: { id: string }) {
  return rich('Request <code>{id}</code>', { id, code: (text) => <code>{text}</code> });
}

/** Codes as a list of alternatives, such as “a or b”. */
function anyOf(codes: readonly string[]): ReactNode {
  const parts = new Intl.ListFormat(locale(), { type: 'disjunction' }).formatToParts(codes);
  return parts.map(({ type, value }, index) =>
    type === 'element' ? <code key={index}>{value}</code> : <Fragment key={index}>{value}</Fragment>,
  );
}

/** An inline notice. */
export function Note({ tone = 'plain', children }: { tone?: 'plain' | 'warning' | 'danger'; children: ReactNode }) {
  return (
    <div className="note" data-tone={tone}>
      <Icon name={tone === 'plain' ? 'clock' : 'warning'} />
      <div>{children}</div>
    </div>
  );
}

/**
 * Renders the data of a query, with a skeleton while loading and an error state on failure and while the failed query is repeated. Data stays visible during refetches;
 * a failed refetch adds an inline error.
 */
export function Loaded<T>({
  query,
  children,
  loading = <Loading />,
}: {
  query: UseQueryResult<T>;
  children: (found: T) => ReactNode;
  loading?: ReactNode;
}) {
  const error = useLastError(query);
  if (query.data === undefined) {
    if (!error) return loading;
    return <ErrorState error={error} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {error && <ErrorLine error={error} />}
      {children(query.data)}
    </>
  );
}
