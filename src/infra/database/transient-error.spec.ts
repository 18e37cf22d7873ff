import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { NoConnectionError } from './connection-gate';
import { TransactionRolledBackError } from './database';
import { isPermanentRefusal, isTransientError } from './transient-error';

function coded(code: string, message = 'some message'): Error {
  return Object.assign(new Error(message), { code });
}

function ofStatement(error: Error): Error {
  return new QueryFailedError('SELECT 1', [], error);
}

describe('A transient error', () => {
  it.each(['08000', '08003', '08006', '08P01', '57P01', '57P02', '57P03', '57P05'])(
    'is a connection that PostgreSQL closed or refused: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['53000', '53100', '53200', '53300', '53400', '58030', '25006'])(
    'is a lack of disk, memory or connections, or a read-only server: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['40001', '40003', '40P01', '55P03', '57014', '25P03', '25P04'])(
    'is a conflict or a time limit: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOSPC', 'EMFILE', 'ENOMEM'])(
    'is a system error: %s',
    (code) => expect(isTransientError(coded(code))).toBe(true),
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Cannot use a pool after calling end on the pool',
    'Driver not Connected',
  ])('is a driver error without a code: %s', (message) =>
    expect(isTransientError(ofStatement(new Error(message)))).toBe(true),
  );

  it("is TypeORM's error for a lost connection", () => {
    expect(isTransientError(new QueryRunnerAlreadyReleasedError())).toBe(true);
    expect(isTransientError(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
  });

  it('is any error that ends the connection', () => {
    expect(isTransientError(ofStatement(Object.assign(coded('XX000'), { severity: 'FATAL' })))).toBe(true);
    expect(isTransientError(ofStatement(Object.assign(coded('XX000'), { severity: 'ERROR' })))).toBe(false);
  });

  it('is any failure to open a connection', () => {
    expect(isTransientError(new NoConnectionError(new Error('self-signed certificate')))).toBe(true);
  });

  it('is found in the cause of another error', () => {
    expect(isTransientError(new TransactionRolledBackError(ofStatement(coded('53100'))))).toBe(true);
  });

  it.each(['23505', '22P02', '42P01', '26000'])('is not an error of the statement itself: %s', (code) =>
    expect(isTransientError(ofStatement(coded(code)))).toBe(false),
  );
});

describe('A permanent refusal', () => {
  it.each(['28P01', '3D000', '28000'])('is a refused login or database: %s', (code) =>
    expect(isPermanentRefusal(new NoConnectionError(coded(code)))).toBe(true),
  );

  it.each(['57P03', '53300', 'ECONNREFUSED', 'EPIPE'])('is not a temporary error: %s', (code) =>
    expect(isPermanentRefusal(new NoConnectionError(coded(code)))).toBe(false),
  );
});
