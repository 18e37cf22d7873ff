import {
  createAccountApiKey,
  getAccountBulkJob,
  listAccountApiKeys,
  listAccountBulkJobs,
  listAccountSenders,
  listAccounts,
  revokeAccountApiKey,
  updateAccount,
} from '../../client/generated/sdk.gen';
import type { AccountDto, BulkJobDetailDto, SenderStateDto } from '../../client/generated/types.gen';
import { EXIT, UnknownNameError } from '../exit-codes';
import { plain } from '../output';
import type { Session } from '../session';
import { waitText } from './job-notes';
import { KEY_COLUMNS, type KeyFlags, keyOf } from './keys';

const ALL = { query: { pageSize: 100 } };

/** `messaging admin accounts` */
export async function accounts(session: Session): Promise<number> {
  const client = await session.client();
  await session.out.firstOfList(
    client.each(listAccounts, ALL, { signal: session.signal }),
    [
      ['account', (account) => account.id],
      ['name', (account) => account.name],
      ['plan', (account) => account.plan],
      ['status', (account) => account.status],
      ['sending', (account) => (account.sendingPaused ? 'STOPPED' : 'allowed')],
      ['number', (account) => account.sender?.displayPhoneNumber ?? account.sender?.phoneNumberId],
    ],
    'No accounts.',
  );
  return EXIT.done;
}

/** `messaging admin keys <account>` */
export async function accountKeys(session: Session, accountId: string): Promise<number> {
  const client = await session.client();
  const keys = client.each(listAccountApiKeys, { path: { accountId }, ...ALL }, { signal: session.signal });
  await session.out.firstOfList(keys, KEY_COLUMNS, 'No keys.');
  return EXIT.done;
}

/** `messaging admin create-key <account> <name>` */
export async function createForAccount(
  session: Session,
  accountId: string,
  name: string,
  flags: KeyFlags,
): Promise<number> {
  const input = { path: { accountId }, body: keyOf(name, flags) };
  const issued = await (await session.client()).call(createAccountApiKey, input, { signal: session.signal });
  session.out.result(issued, () => issued.key);
  return EXIT.done;
}

/** `messaging admin revoke-key <account> <key>` */
export async function revokeOfAccount(session: Session, accountId: string, keyId: string): Promise<number> {
  if (!(await session.confirmed(`Revoke the key ${keyId} of the account ${accountId}?`))) return EXIT.refused;
  await (await session.client()).call(revokeAccountApiKey, { path: { accountId, keyId } }, { signal: session.signal });
  session.out.note('Revoked.');
  return EXIT.done;
}

/** `messaging admin stop|resume <account>`: the emergency stop, without a confirmation. */
export async function stopSending(session: Session, accountId: string, sendingPaused: boolean): Promise<number> {
  const input = { path: { accountId }, body: { sendingPaused } };
  const account = await (await session.client()).call(updateAccount, input, { signal: session.signal });
  session.out.result(account, () => `${account.name}: sending is ${account.sendingPaused ? 'STOPPED' : 'allowed'}`);
  return EXIT.done;
}

/** `messaging admin waiting`: stalled jobs with the reason, of all accounts or of one. */
export async function waiting(session: Session, flags: { account?: string }): Promise<number> {
  const client = await session.client();
  const { signal } = session;
  const found: (BulkJobDetailDto & { account: string })[] = [];
  for (const { id: accountId, name: account, sendingPaused } of await accountsOf(session, flags.account)) {
    if (sendingPaused) {
      session.out.note(
        `${account}: sending is STOPPED, so all its jobs wait. Resume with \`messaging admin resume ${accountId}\`.`,
      );
    }
    for (const status of ['Processing', 'Queued', 'Paused'] as const) {
      const jobs = client.each(
        listAccountBulkJobs,
        { path: { accountId }, query: { status, pageSize: 100, cursor: '' } },
        { signal },
      );
      for await (const { jobId } of jobs) {
        const job = await client.call(getAccountBulkJob, { path: { accountId, jobId } }, { signal });
        if (job.throttled || job.pauseReason) found.push({ account, ...job });
      }
    }
  }
  await session.out.list(
    found,
    [
      ['account', (job) => job.account],
      ['job', (job) => job.jobId],
      ['status', (job) => job.status],
      ['pending', (job) => job.pending],
      ['why', (job) => job.pauseReason?.code ?? job.throttled?.reason],
      ['until', (job) => job.throttled?.until],
      ['explained', (job) => plain(job.pauseReason?.message ?? (job.throttled ? waitText(job.throttled) : undefined))],
    ],
    'No stalled jobs.',
  );
  return EXIT.done;
}

/** `messaging admin senders`: of all accounts, or of the given one. */
export async function senders(session: Session, flags: { account?: string }): Promise<number> {
  const client = await session.client();
  const found: (SenderStateDto & { account: string })[] = [];
  for (const { id: accountId, name: account } of await accountsOf(session, flags.account)) {
    const input = { path: { accountId } };
    const { items } = await client.call(listAccountSenders, input, { signal: session.signal });
    found.push(...items.map((sender) => ({ account, ...sender })));
  }
  await session.out.list(
    found,
    [
      ['account', (sender) => sender.account],
      ['number', (sender) => sender.displayPhoneNumber ?? sender.phoneNumberId],
      ['per second', (sender) => `${sender.rateNow} of ${sender.messagesPerSecond}`],
      [
        'tier',
        (sender) => (sender.tierUsed === null ? sender.messagingTier : `${sender.tierUsed} of ${sender.messagingTier}`),
      ],
      ['quality', (sender) => sender.qualityRating],
      ['last report', (sender) => sender.lastWebhookAt],
      ['problem', (sender) => sender.problem?.message],
    ],
    'No senders.',
  );
  return EXIT.done;
}

async function accountsOf(session: Session, named?: string): Promise<AccountDto[]> {
  const client = await session.client();
  const found: AccountDto[] = [];
  for await (const account of client.each(listAccounts, ALL, { signal: session.signal })) {
    if (!named || account.id === named || account.name === named) found.push(account);
  }
  if (named && found.length === 0) throw new UnknownNameError(`No account ${named}: run \`messaging admin accounts\`.`);
  return found;
}
