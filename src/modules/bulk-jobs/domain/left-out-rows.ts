import type { SeenPeople } from '../../groups/domain/seen-people';
import type { ReadBatch } from '../../recipient-files/domain/file-rows';

/** The rows of a file or list that a send leaves out. */
export class LeftOutRows {
  private count = 0;

  /** `people` is null if the request leaves out nobody. */
  constructor(private readonly people: SeenPeople | null) {}

  /** The rows left out so far; absent: the request leaves out nobody. */
  get counted(): { leftOut?: number } {
    return this.people === null ? {} : { leftOut: this.count };
  }

  /** The batches without these rows, invalid ones among them. */
  without(batches: AsyncIterable<ReadBatch>): AsyncIterable<ReadBatch> {
    return this.people === null ? batches : this.others(batches, this.people);
  }

  private async *others(batches: AsyncIterable<ReadBatch>, people: SeenPeople): AsyncGenerator<ReadBatch> {
    const isOther = ({ phone, userId }: ReadBatch['rows'][number]): boolean => {
      const isLeftOut = people.has(phone) || (userId !== undefined && people.has(userId));
      if (isLeftOut) this.count++;
      return !isLeftOut;
    };
    for await (const { rows, invalidRows, ...batch } of batches) {
      yield { ...batch, rows: rows.filter(isOther), invalidRows: invalidRows.filter(isOther) };
    }
  }
}
