import { getMe } from '../../client/generated/sdk.gen';
import { EXIT, UsageError } from '../exit-codes';
import { forgetLogin, loginFile, storeLogin } from '../login-file';
import { counted } from '../output';
import { type GlobalOptions, isExposed, type Session, webUrl } from '../session';

/** `messaging login`: checks the key and stores it. */
export async function login(session: Session, options: GlobalOptions & { insecure?: boolean }): Promise<number> {
  const { MESSAGING_URL, MESSAGING_API_KEY } = process.env;
  const url = webUrl(
    options.url || MESSAGING_URL || (await typed(session, 'URL of the service: ', '--url or MESSAGING_URL')),
  );
  if (isExposed(url) && !options.insecure)
    throw new UsageError(
      `Others could read the API key on its way to ${url}: use https://, or, in a network that you trust, --insecure.`,
    );
  const key =
    options.key || MESSAGING_API_KEY || (await typed(session, 'API key: ', '--key or MESSAGING_API_KEY', 'hidden'));
  const client = await session.clientOf(url, key);
  const me = await client.call(getMe, {}, { signal: session.signal });
  storeLogin({ url, key });
  session.out.note(`Logged in to ${me.account.name} at ${url}; saved in ${loginFile()}.`, 'green');
  return EXIT.done;
}

async function typed(session: Session, question: string, option: string, echo?: 'hidden'): Promise<string> {
  return (await session.asked(question, `pass it with ${option}`, echo)).trim();
}

/** `messaging logout` */
export function logout(session: Session): Promise<number> {
  forgetLogin();
  session.out.note('Logged out.');
  return Promise.resolve(EXIT.done);
}

/** `messaging whoami` */
export async function whoami(session: Session): Promise<number> {
  const me = await (await session.client()).call(getMe, {}, { signal: session.signal });
  session.out.facts(me, [
    ['service', session.url],
    ['account', `${me.account.name} (${me.account.id})`],
    [
      'plan',
      `${me.plan}: ${counted(me.limits.requestsPerSecond, 'request')} per second, ${counted(me.limits.maxRowsPerFile, 'row')} per file`,
    ],
    ['key', me.keyPrefix],
    ['scopes', me.scopes.join(' ')],
    ['sending', me.account.sendingPaused ? 'stopped by the operator' : 'allowed'],
  ]);
  return EXIT.done;
}
