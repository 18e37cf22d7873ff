import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountsBootstrap } from '../domain/accounts-bootstrap';

/** Warns at each start if the environment differs from the stored settings of the first account. */
@Injectable()
export class FirstAccountWarning implements OnApplicationBootstrap {
  private readonly logger = new Logger('FirstAccount');

  constructor(private readonly bootstrap: AccountsBootstrap) {}

  async onApplicationBootstrap(): Promise<void> {
    const differences = await this.bootstrap.differences();
    if (!differences || (differences.ofSender.length === 0 && !differences.key)) return;
    const { accountId, senderId, ofSender, key } = differences;
    const path = `/accounts/${accountId}${senderId === null ? '' : `/senders/${senderId}`}`;
    const variables = [...ofSender, ...(key ? ['BOOTSTRAP_API_KEY'] : [])];
    const remedies = [
      ...(ofSender.length > 0 ? [`change the sender with PATCH ${path}`] : []),
      ...(key ? [`create a key with POST /accounts/${accountId}/api-keys, or without any key npm run new-key`] : []),
    ];
    this.logger.warn(
      `${variables.join(', ')}: the environment differs from the stored settings of the first account, which take ` +
        `precedence. To change them, ${remedies.join(' and ')}; otherwise set the environment to the stored values`,
    );
  }
}
