import { Injectable } from '@nestjs/common';
import { MessagePartitions } from '../../../infra/database/message-partitions';
import { HistoryPartitions } from '../domain/history-partitions.port';

/** The partitions of the table `messages`. */
@Injectable()
export class StoredHistoryPartitions extends HistoryPartitions {
  constructor(private readonly partitions: MessagePartitions) {
    super();
  }

  async dropOlderThan(before: Date): Promise<number> {
    return (await this.partitions.dropEmpty(before)).length;
  }
}
