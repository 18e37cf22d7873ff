import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asMessagingError } from '../api/call';
import type { Scope } from '../api/scopes';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Icon, type IconName } from './icon';

/** Grey bars where something is about to stand: `rows` of them. */
export function Loading({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="skeleton-bar" aria-hidden="true" />
      ))}
    </div>
  );
}

/** Nothing is there: why, and `children`: the next step. */
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

/** Something went wrong: what, the id of the request for the operator, and another try. A missing scope says which. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, message, requestId, details } = asMessagingError(error);
  if (code === 'missing_scope') return <NoScope scopes={details.requiredScope ? [details.requiredScope] : []} />;
  const isAway = code === 'connection_failed';
  return (
    <div className="state" data-tone="danger" role="alert">
      <span className="state-icon">
        <Icon name="warning" size={24} />
      </span>
      <p className="state-title">{isAway ? 'The service does not answer' : 'This could not be loaded'}</p>
      <p className="state-hint">
        {isAway ? 'It may be restarting. What you see here returns by itself as soon as it answers.' : message}
      </p>
      {requestId && (
        <p className="state-hint">
          Request <code>{requestId}</code> <CopyButton text={requestId} label="Copy the request id" />
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

/** The key may not see this: which scope it lacks. */
export function NoScope({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name="lock" size={24} />
      </span>
      <p className="state-title">Your key does not open this</p>
      <p className="state-hint">
        It needs the scope{' '}
        {scopes.map((scope, index) => (
          <span key={scope}>
            {index > 0 && ' or '}
            <code>{scope}</code>
          </span>
        ))}
        . Whoever manages the keys of this account can make a key that has it.
      </p>
    </div>
  );
}

/** A line within a screen that still works: what went wrong with the last try. */
export function ErrorLine({ error }: { error: unknown }) {
  const { code, message, requestId, errors } = asMessagingError(error);
  return (
    <div className="note" data-tone="danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>{code === 'connection_failed' ? 'The service does not answer. Try again in a moment.' : message}</p>
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

/** Something to know before going on. */
export function Note({ tone = 'plain', children }: { tone?: 'plain' | 'warning' | 'danger'; children: ReactNode }) {
  return (
    <div className="note" data-tone={tone}>
      <Icon name={tone === 'plain' ? 'clock' : 'warning'} />
      <div>{children}</div>
    </div>
  );
}

/**
 * What a query read, once it is there; before that grey bars, or what went wrong. What was read stays while it is read again,
 * and when that fails a line says so.
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
