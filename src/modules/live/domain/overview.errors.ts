import { domainError } from '../../../kernel/domain-error';

/** The range has more than `limit` buckets. */
export class OverviewTooLongError extends domainError({
  code: 'time_range_too_long',
  kind: 'invalid',
  when: 'The range from `from` to `until` exceeds the maximum number of buckets in a response.',
  remedy: 'Request a shorter range, or days instead of hours. `limit` is the maximum number of buckets.',
  extra: { limit: { type: 'integer', description: 'maximum number of buckets', example: 744 } },
}) {
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`A response covers at most ${limit} hours or days. Request a shorter range, or days instead of hours.`);
    this.extra = { limit };
  }
}
