import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asMessagingError } from '../api/call';
import type { Scope } from '../api/scopes';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Icon, type IconName } from './icon';

/** A skeleton of `rows` grey bars. */
export function Loading({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="skeleton-bar" aria-hidden="true" />
      ))}
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

/** A full error state with the request id and a retry button; shows NoScope if a scope is missing. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, message, requestId, details } = asMessagingError(error);
  if (code === 'missing_scope') return <NoScope scopes={details.requiredScope ? [details.requiredScope] : []} />;
  const isUnreachable = code === 'connection_failed';
  return (
    <div className="state" data-tone="danger" role="alert">
      <span className="state-icon">
        <Icon name="warning" size={24} />
      </span>
      <p className="state-title">{isUnreachable ? 'The service is not responding' : 'Could not load this'}</p>
      <p className="state-hint">
        {isUnreachable ? 'It may be restarting. This page recovers automatically.' : message}
      </p>
      {requestId && (
        <p className="state-hint">
          Request <code>{requestId}</code> <CopyButton text={requestId} label="Copy request ID" />
        </p>
      )}
      {onRetry && (
        <div className="row">
          <Button icon="retry" onClick={onRetry}>
            Try again
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
      <p className="state-title">Your key has no access</p>
      <p className="state-hint">
        Required scope:{' '}
        {scopes.map((scope, index) => (
          <span key={scope}>
            {index > 0 && ' or '}
            <code>{scope}</code>
          </span>
        ))}
        . Ask the person who manages this account's API keys for a key with this scope.
      </p>
    </div>
  );
}

/** An inline error on a screen that otherwise works. */
export function ErrorLine({ error }: { error: unknown }) {
  const { code, message, requestId, errors } = asMessagingError(error);
  return (
    <div className="note" data-tone="danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>{code === 'connection_failed' ? 'The service is not responding. Try again in a moment.' : message}</p>
        {errors.length > 0 && (
          <ul>
            {errors.map((one) => (
              <li key={`${one.field} ${one.code}`}>
                <code>{one.field}</code>: {one.message}
              </li>
            ))}
          </ul>
        )}
        {requestId && (
          <p className="hint">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
    </div>
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
 * Renders the data of a query, with a skeleton while loading and an error state on failure. Data stays visible during refetches;
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
  if (query.data === undefined) {
    return query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : loading;
  }
  return (
    <>
      {query.isError && <ErrorLine error={query.error} />}
      {children(query.data)}
    </>
  );
}
