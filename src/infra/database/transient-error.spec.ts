import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { NoConnectionError } from './connection-gate';
import { TransactionUndoneError } from './database';
import { isFinalAnswer, isTransientError } from './transient-error';

function coded(code: string, message = 'some words'): Error {
  return Object.assign(new Error(message), { code });
}

function ofStatement(error: Error): Error {
  return new QueryFailedError('SELECT 1', [], error);
}

describe('A transient error', () => {
  it.each(['08000', '08003', '08006', '08P01', '57P01', '57P02', '57P03', '57P05'])(
    'is a connection that PostgreSQL ended or did not give: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['53000', '53100', '53200', '53300', '53400', '58030', '25006'])(
    'is a lack of disk, memory or connections, and a server that only reads: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['40001', '40003', '40P01', '55P03', '57014', '25P03', '25P04'])(
    'is a conflict with others, or a limit of time: %s',
    (code) => expect(isTransientError(ofStatement(coded(code)))).toBe(true),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOSPC', 'EMFILE', 'ENOMEM'])(
    'is one of the system: %s',
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
  ])('is what the driver says without a code: %s', (message) =>
    expect(isTransientError(ofStatement(new Error(message)))).toBe(true),
  );

  it('is what TypeORM says of a connection that was lost since', () => {
    expect(isTransientError(new QueryRunnerAlreadyReleasedError())).toBe(true);
    expect(isTransientError(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
  });

  it('is one that ends the connection, whatever its code', () => {
    expect(isTransientError(ofStatement(Object.assign(coded('XX000'), { severity: 'FATAL' })))).toBe(true);
    expect(isTransientError(ofStatement(Object.assign(coded('XX000'), { severity: 'ERROR' })))).toBe(false);
  });

  it('is every connection that could not be opened', () => {
    expect(isTransientError(new NoConnectionError(new Error('self-signed certificate')))).toBe(true);
  });

  it('is found inside what wraps it', () => {
    expect(isTransientError(new TransactionUndoneError(ofStatement(coded('53100'))))).toBe(true);
  });

  it.each(['23505', '22P02', '42P01', '26000'])('is none of the statement itself: %s', (code) =>
    expect(isTransientError(ofStatement(coded(code)))).toBe(false),
  );
});

describe('A final answer', () => {
  it.each(['28P01', '3D000', '28000'])('is that of a server that will not have us: %s', (code) =>
    expect(isFinalAnswer(new NoConnectionError(coded(code)))).toBe(true),
  );

  it.each(['57P03', '53300', 'ECONNREFUSED', 'EPIPE'])('is not one that may pass: %s', (code) =>
    expect(isFinalAnswer(new NoConnectionError(coded(code)))).toBe(false),
  );
});
