import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountsBootstrap } from '../domain/accounts-bootstrap.service';

/** Says at each start where the environment differs from what is stored of the first account. */
@Injectable()
export class FirstAccountComparison implements OnApplicationBootstrap {
  private readonly logger = new Logger('FirstAccount');

  constructor(private readonly bootstrap: AccountsBootstrap) {}

  async onApplicationBootstrap(): Promise<void> {
    const found = await this.bootstrap.overridden();
    if (!found || (found.ofSender.length === 0 && !found.key)) return;
    const { accountId, ofSender, key } = found;
    const variables = [...ofSender, ...(key ? ['BOOTSTRAP_API_KEY'] : [])];
    const remedies = [
      ...(ofSender.length > 0 ? [`change the sender with PATCH /accounts/${accountId}`] : []),
      ...(key ? [`create a key with POST /accounts/${accountId}/api-keys`] : []),
    ];
    this.logger.warn(
      `${variables.join(', ')}: the environment differs from the stored settings of the first account, which take ` +
        `precedence. To change them, ${remedies.join(' and ')}; otherwise set the environment to the stored values`,
    );
  }
}
