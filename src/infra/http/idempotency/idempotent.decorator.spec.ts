import { domainError } from '../../../kernel/domain-error';
import { presentAs201 } from './idempotent.decorator';

class ThingNotFoundError extends domainError({ code: 'thing_not_found', kind: 'not_found', when: '', remedy: '' }) {}

describe('presentAs201', () => {
  it('returns the resource, or null if nothing was created', async () => {
    expect(await presentAs201(Promise.resolve({ id: '1' }))).toEqual({ statusCode: 201, body: { id: '1' } });
    expect(await presentAs201(Promise.reject(new ThingNotFoundError('No such thing.')))).toBeNull();
  });

  it('rethrows other errors', async () => {
    await expect(presentAs201(Promise.reject(new Error('The database is unavailable')))).rejects.toThrow('unavailable');
  });
});
