import { type Command, Option } from 'commander';
import type { Act } from './action';
import { collected, limitOption, wholeFrom, words } from './option-values';

const KEY_SCOPE = () =>
  new Option('--scope <scope>', 'what it may do; may be repeated').argParser(collected).makeOptionMandatory();

/** Commands about people, keys, webhooks, the sandbox, the login, and those of the operator. */
export function addAccountCommands(program: Command, act: Act): void {
  addPeople(program, act);
  addKeys(program.command('keys').description('API keys of the account'), act);
  addWebhooks(program.command('webhooks').description('where events are sent to'), act);
  program
    .command('sandbox')
    .description('what people do in the sandbox')
    .command('say <text>')
    .description('a person writes to the account')
    .option('--from <phone>', 'who', '4915112345678')
    .addOption(
      new Option('--sandbox <url>', 'where the sandbox is')
        .env('MESSAGING_SANDBOX_URL')
        .default('http://127.0.0.1:4010'),
    )
    .addHelpText('after', '\nExample:\n  $ messaging sandbox say "Will it arrive before noon?"')
    .action(act(async (session, [text], flags) => (await import('./commands/sandbox.js')).say(session, text!, flags)));
  addAdmin(program.command('admin').description('for operators: keys with the scope accounts:manage'), act);
  program
    .command('login')
    .description('tries a key and keeps it, readable by you alone')
    .addHelpText('after', '\nExample:\n  $ MESSAGING_API_KEY=… messaging login --url https://messaging.example.com')
    .action(async (...typed: unknown[]) => {
      const options = (typed.at(-1) as Command).optsWithGlobals<object>();
      await act(async (session) => (await import('./commands/login.js')).login(session, options))(...typed);
    });
  program
    .command('logout')
    .description('forgets the key')
    .action(act(async (session) => (await import('./commands/login.js')).logout(session)));
  program
    .command('whoami')
    .description('account, plan and scopes of the key')
    .action(act(async (session) => (await import('./commands/login.js')).whoami(session)));
}

function addPeople(program: Command, act: Act): void {
  const messages = program.command('messages').description('messages in both directions');
  messages
    .command('list')
    .description('the newest first')
    .option('--to <phone>')
    .option('--job <job>')
    .option('--status <status>')
    .option('--reference <text>')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listMessages(session, flags)));
  messages
    .command('show <message>')
    .description('what became of it')
    .action(act(async (session, [id]) => (await import('./commands/people.js')).showMessage(session, id!)));
  const contacts = program.command('contacts').description('contacts of the account');
  contacts
    .command('list')
    .description('all contacts')
    .option('--search <text>')
    .option('--phone <phone>')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listContacts(session, flags)));
  contacts
    .command('add <phone>')
    .description('a new contact')
    .option('--name <name>')
    .option('--value <text>', 'of the next placeholder; may be repeated', collected)
    .action(
      act(async (session, [phone], flags) => (await import('./commands/people.js')).addContact(session, phone!, flags)),
    );
  contacts
    .command('remove <phone>')
    .description('deletes a contact')
    .option('--erase', 'with all messages and rows of jobs of this person')
    .action(
      act(async (session, [phone], flags) =>
        (await import('./commands/people.js')).removeContact(session, phone!, flags),
      ),
    );
  program
    .command('groups')
    .description('contact groups')
    .command('list')
    .description('all groups')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).groups(session, flags)));
  const optOuts = program.command('opt-outs').description('people who want no messages');
  optOuts
    .command('list')
    .description('all of them')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listOptedOut(session, flags)));
  optOuts
    .command('add <phone>')
    .description('this person gets no more messages')
    .action(act(async (session, [phone]) => (await import('./commands/people.js')).optOut(session, phone!)));
  optOuts
    .command('remove <phone>')
    .description('this person may be sent to again')
    .action(act(async (session, [phone]) => (await import('./commands/people.js')).optIn(session, phone!)));
}

function addKeys(keys: Command, act: Act): void {
  keys
    .command('list')
    .description('the active ones')
    .action(act(async (session) => (await import('./commands/keys.js')).list(session)));
  keys
    .command('create <name>')
    .description('a new key; its secret is shown once')
    .addOption(KEY_SCOPE())
    .option('--expires <time>', 'such as 2027-01-01T00:00:00Z')
    .addHelpText('after', '\nExample:\n  $ messaging keys create shop --scope messaging:send --scope messaging:read')
    .action(act(async (session, [name], flags) => (await import('./commands/keys.js')).create(session, name!, flags)));
  keys
    .command('rotate <id>')
    .description('a new secret for it, shown once')
    .option('--overlap <seconds>', 'how long the old one works on', wholeFrom(0), 0)
    .action(act(async (session, [id], flags) => (await import('./commands/keys.js')).rotate(session, id!, flags)));
  keys
    .command('revoke <id>')
    .description('ends it at once')
    .action(act(async (session, [id]) => (await import('./commands/keys.js')).revoke(session, id!)));
}

function addWebhooks(webhooks: Command, act: Act): void {
  const events = () => new Option('--events <types>', 'comma-separated; default: all').argParser(words);
  webhooks
    .command('list')
    .description('the endpoints')
    .action(act(async (session) => (await import('./commands/webhooks.js')).list(session)));
  webhooks
    .command('create <url>')
    .description('a new endpoint; its secret is shown once')
    .addOption(events())
    .action(
      act(async (session, [url], flags) => (await import('./commands/webhooks.js')).create(session, url!, flags)),
    );
  webhooks
    .command('test <endpoint>')
    .description('sends an event at once')
    .action(act(async (session, [id]) => (await import('./commands/webhooks.js')).test(session, id!)));
  webhooks
    .command('deliveries <endpoint>')
    .description('what was delivered, and what not')
    .addOption(limitOption())
    .action(
      act(async (session, [id], flags) => (await import('./commands/webhooks.js')).deliveries(session, id!, flags)),
    );
  webhooks
    .command('remove <endpoint>')
    .description('ends it')
    .action(act(async (session, [id]) => (await import('./commands/webhooks.js')).remove(session, id!)));
  webhooks
    .command('listen')
    .description('prints verified events until Ctrl-C, over an endpoint of its own')
    .option('--port <port>', 'where to listen', wholeFrom(0), 0)
    .option('--public-url <url>', 'public URL that forwards to this machine')
    .addOption(events())
    .addHelpText(
      'after',
      '\nA service on this machine delivers here with WEBHOOK_ALLOW_PRIVATE=true.\n\nExample:\n  $ messaging webhooks listen --events message.failed,job.completed --json',
    )
    .action(act(async (session, _, flags) => (await import('./commands/webhooks.js')).listen(session, flags)));
}

function addAdmin(admin: Command, act: Act): void {
  admin
    .command('accounts')
    .description('all accounts')
    .action(act(async (session) => (await import('./commands/keys.js')).accounts(session)));
  admin
    .command('keys <account>')
    .description('keys of an account')
    .action(act(async (session, [account]) => (await import('./commands/keys.js')).accountKeys(session, account!)));
  admin
    .command('create-key <account> <name>')
    .description('a new key of an account; its secret is shown once')
    .addOption(KEY_SCOPE())
    .option('--expires <time>', 'such as 2027-01-01T00:00:00Z')
    .action(
      act(async (session, [account, name], flags) =>
        (await import('./commands/keys.js')).createForAccount(session, account!, name!, flags),
      ),
    );
  admin
    .command('revoke-key <account> <key>')
    .description('ends a key of an account')
    .action(
      act(async (session, [account, key]) =>
        (await import('./commands/keys.js')).revokeOfAccount(session, account!, key!),
      ),
    );
  admin
    .command('stop <account>')
    .description('emergency stop: nothing more leaves within 2 seconds')
    .action(
      act(async (session, [account]) => (await import('./commands/keys.js')).stopSending(session, account!, true)),
    );
  admin
    .command('resume <account>')
    .description('ends the emergency stop')
    .action(
      act(async (session, [account]) => (await import('./commands/keys.js')).stopSending(session, account!, false)),
    );
  admin
    .command('waiting')
    .description('jobs that do not go on, and why, of all accounts')
    .option('--account <account>', 'only of this one, by id or name')
    .action(act(async (session, _, flags) => (await import('./commands/keys.js')).waiting(session, flags)));
  admin
    .command('senders')
    .description('phone numbers of all accounts: pace, tier, problems')
    .option('--account <account>', 'only of this one, by id or name')
    .action(act(async (session, _, flags) => (await import('./commands/keys.js')).senders(session, flags)));
}
