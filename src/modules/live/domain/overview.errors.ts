import { domainError } from '../../../kernel/domain-error';

/** The time of an overview has too many buckets; `limit` of them. */
export class OverviewTooLongError extends domainError({
  code: 'time_range_too_long',
  kind: 'invalid',
  when: 'The time between `from` and `until` has more hours or days than one answer tells.',
  remedy: 'Ask for a shorter time, or for days instead of hours. `limit` is the number of buckets.',
  extra: { limit: { type: 'integer', description: 'the most buckets of one answer', example: 744 } },
}) {
  override readonly extra: { limit: number };

  constructor(limit: number) {
    super(`One answer tells at most ${limit} hours or days. Ask for a shorter time, or for days instead of hours.`);
    this.extra = { limit };
  }
}
