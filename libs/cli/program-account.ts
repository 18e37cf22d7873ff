import { type Command, Option } from 'commander';
import type { Act } from './action';
import {
  choiceOption,
  collected,
  limitOption,
  PAST_TIME,
  pastTime,
  readingFile,
  wholeFrom,
  words,
} from './option-values';

const MESSAGE_STATES = [
  ...['Queued', 'Sent', 'Delivered', 'Read', 'Undelivered', 'Failed', 'Unknown', 'Cancelled', 'Received'],
];
const KEY_SCOPE = () =>
  new Option('--scope <scope>', 'scope of the key; repeatable').argParser(collected).makeOptionMandatory();

/** Commands about people, keys, webhooks, the sandbox, the login, and those of the operator. */
export function addAccountCommands(program: Command, act: Act): void {
  addPeople(program, act);
  addKeys(program.command('keys').description('API keys of the account'), act);
  addWebhooks(program.command('webhooks').description('webhook endpoints and their deliveries'), act);
  program
    .command('sandbox')
    .description('simulates people in the sandbox')
    .command('say <text>')
    .description('sends a message from a person to the account')
    .option('--from <phone>', 'number of the person', '4915112345678')
    .addOption(
      new Option('--sandbox <url>', 'URL of the sandbox').env('MESSAGING_SANDBOX_URL').default('http://127.0.0.1:4010'),
    )
    .addHelpText('after', '\nExample:\n  $ messaging sandbox say "Will it arrive before noon?"')
    .action(act(async (session, [text], flags) => (await import('./commands/sandbox.js')).say(session, text!, flags)));
  addAdmin(program.command('admin').description('for operators, with a key that has the scope accounts:manage'), act);
  program
    .command('login')
    .description('checks a key and saves it, readable only by you')
    .option('--insecure', 'also over plain HTTP to another machine, where others can read the key')
    .addHelpText('after', '\nExample:\n  $ MESSAGING_API_KEY=… messaging login --url https://messaging.example.com')
    .action(async (...typed: unknown[]) => {
      const options = (typed.at(-1) as Command).optsWithGlobals<object>();
      await act(async (session) => (await import('./commands/login.js')).login(session, options))(...typed);
    });
  program
    .command('logout')
    .description('deletes the saved key')
    .action(act(async (session) => (await import('./commands/login.js')).logout(session)));
  program
    .command('whoami')
    .description('shows account, plan and scopes of the key')
    .action(act(async (session) => (await import('./commands/login.js')).whoami(session)));
}

function addPeople(program: Command, act: Act): void {
  const messages = program.command('messages').description('messages in both directions');
  messages
    .command('list')
    .description('lists newest first')
    .option('--to <phone>')
    .option('--job <job>')
    .addOption(choiceOption('--status <status>', MESSAGE_STATES))
    .addOption(choiceOption('--direction <direction>', ['Inbound', 'Outbound']))
    .option('--reference <text>')
    .addOption(new Option('--since <time>', `created then or later: ${PAST_TIME}`).argParser(pastTime))
    .addOption(new Option('--until <time>', 'created before, in the same form').argParser(pastTime))
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listMessages(session, flags)));
  messages
    .command('show <message>')
    .description('shows its status and outcome')
    .action(act(async (session, [id]) => (await import('./commands/people.js')).showMessage(session, id!)));
  addConversations(program, act);
  const contacts = program.command('contacts').description('contacts of the account');
  contacts
    .command('list')
    .description('lists all contacts')
    .option('--search <text>')
    .option('--phone <phone>')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listContacts(session, flags)));
  contacts
    .command('add <phone>')
    .description('creates a contact, with a phone number or a user id')
    .option('--name <name>')
    .option('--value <text>', 'value of the next placeholder; repeatable', collected)
    .action(
      act(async (session, [phone], flags) => (await import('./commands/people.js')).addContact(session, phone!, flags)),
    );
  contacts
    .command('remove <phone>')
    .description('deletes a contact')
    .option('--erase', 'including all messages and job rows of this person')
    .action(
      act(async (session, [phone], flags) =>
        (await import('./commands/people.js')).removeContact(session, phone!, flags),
      ),
    );
  addGroups(program.command('groups').description('contact groups'), act);
  const optOuts = program.command('opt-outs').description('opted-out people');
  optOuts
    .command('list')
    .description('lists all opt-outs')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/people.js')).listOptedOut(session, flags)));
  optOuts
    .command('add <phone>')
    .description('opts a person out, given by phone number or user id')
    .action(act(async (session, [phone]) => (await import('./commands/people.js')).optOut(session, phone!)));
  optOuts
    .command('remove <phone>')
    .description('deletes an opt-out, of a phone number or a user id')
    .action(act(async (session, [phone]) => (await import('./commands/people.js')).optIn(session, phone!)));
}

function addGroups(groups: Command, act: Act): void {
  groups
    .command('list')
    .description('lists all groups')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/groups.js')).list(session, flags)));
  groups
    .command('add <name>')
    .description('creates a group')
    .action(act(async (session, [name]) => (await import('./commands/groups.js')).add(session, name!)));
  readingFile(
    groups
      .command('import <group> <file>')
      .description(
        'adds contacts from a file to a group, by name or id, and updates those that exist; xlsx, xls or CSV; - for standard input',
      ),
    '{"phone":"Mobile","name":"Customer"}',
  )
    .option('--check', 'only check the file')
    .option('--reject-invalid', 'import nothing if any row is invalid')
    .addHelpText(
      'after',
      '\nWithout --columns, the first column has numbers,\none named "name" names, and the others placeholder\n' +
        'values. Each column with a header is also an\nattribute. Nobody is added twice.\n\nExamples:\n  $ messaging ' +
        'groups import "VIP customers" contacts.csv --check\n  $ messaging groups import "VIP customers" contacts.csv --yes',
    )
    .action(
      act(async (session, [group, file], flags) =>
        (await import('./commands/groups.js')).importContacts(session, group!, file!, flags),
      ),
    );
}

function addConversations(program: Command, act: Act): void {
  const conversations = program.command('conversations').description('conversations with people');
  conversations
    .command('list')
    .description('lists the latest first')
    .option('--waiting', 'only those that wait for a reply')
    .option('--unread', 'only those with unread messages')
    .option('--search <text>', 'part of a name; the first digits of a number, or at least the last four')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/conversations.js')).list(session, flags)));
  conversations
    .command('show <conversation>')
    .description('shows its last messages; the conversation by number or id')
    .addOption(limitOption())
    .action(
      act(async (session, [name], flags) => (await import('./commands/conversations.js')).show(session, name!, flags)),
    );
  program
    .command('reply <conversation> <text>')
    .description('replies in free text within 24 hours of a message; the conversation by number or id')
    .option('--reference <text>', 'your own reference')
    .option('--idempotency-key <key>', 'the same key never sends twice within 24 hours')
    .addHelpText('after', '\nExample:\n  $ messaging reply +4915112345678 "Yes, at about ten."')
    .action(
      act(async (session, [name, text], flags) =>
        (await import('./commands/conversations.js')).reply(session, name!, text!, flags),
      ),
    );
}

function addKeys(keys: Command, act: Act): void {
  keys
    .command('list')
    .description('lists the active keys')
    .action(act(async (session) => (await import('./commands/keys.js')).list(session)));
  keys
    .command('create <name>')
    .description('creates a key; the secret is shown once')
    .addOption(KEY_SCOPE())
    .option('--expires <time>', 'such as 2027-01-01T00:00:00Z')
    .addHelpText('after', '\nExample:\n  $ messaging keys create shop --scope messaging:send --scope messaging:read')
    .action(act(async (session, [name], flags) => (await import('./commands/keys.js')).create(session, name!, flags)));
  keys
    .command('rotate <id>')
    .description('creates a new secret, shown once')
    .option('--overlap <seconds>', 'how long the old secret stays valid', wholeFrom(0), 0)
    .action(act(async (session, [id], flags) => (await import('./commands/keys.js')).rotate(session, id!, flags)));
  keys
    .command('revoke <id>')
    .description('revokes it immediately')
    .action(act(async (session, [id]) => (await import('./commands/keys.js')).revoke(session, id!)));
}

function addWebhooks(webhooks: Command, act: Act): void {
  const events = () => new Option('--events <types>', 'comma-separated; default: all').argParser(words);
  webhooks
    .command('list')
    .description('lists the endpoints')
    .action(act(async (session) => (await import('./commands/webhooks.js')).list(session)));
  webhooks
    .command('create <url>')
    .description('creates an endpoint; the secret is shown once')
    .addOption(events())
    .action(
      act(async (session, [url], flags) => (await import('./commands/webhooks.js')).create(session, url!, flags)),
    );
  webhooks
    .command('test <endpoint>')
    .description('sends a test event immediately')
    .action(act(async (session, [id]) => (await import('./commands/webhooks.js')).test(session, id!)));
  webhooks
    .command('deliveries <endpoint>')
    .description('lists delivery attempts')
    .addOption(limitOption())
    .action(
      act(async (session, [id], flags) => (await import('./commands/webhooks.js')).deliveries(session, id!, flags)),
    );
  webhooks
    .command('replay <endpoint>')
    .description('redelivers the events since a time, for an endpoint that lost data')
    .addOption(new Option('--since <time>', PAST_TIME).argParser(pastTime).makeOptionMandatory())
    .action(act(async (session, [id], flags) => (await import('./commands/webhooks.js')).replay(session, id!, flags)));
  webhooks
    .command('redeliver <delivery>')
    .description('redelivers the events of one attempt')
    .action(act(async (session, [id]) => (await import('./commands/webhooks.js')).redeliver(session, id!)));
  webhooks
    .command('remove <endpoint>')
    .description('removes it')
    .action(act(async (session, [id]) => (await import('./commands/webhooks.js')).remove(session, id!)));
  webhooks
    .command('listen')
    .description('prints verified events until Ctrl-C, using a temporary endpoint')
    .option('--port <port>', 'port to listen on', wholeFrom(0), 0)
    .option('--public-url <url>', 'public URL that forwards to this machine')
    .addOption(events())
    .addHelpText(
      'after',
      '\nTo deliver here, a service on this machine needs\nWEBHOOK_ALLOW_PRIVATE=true.\n\nExample:\n  $ messaging ' +
        'webhooks listen --events message.failed,job.completed --json',
    )
    .action(act(async (session, _, flags) => (await import('./commands/webhooks.js')).listen(session, flags)));
}

function addAdmin(admin: Command, act: Act): void {
  admin
    .command('accounts')
    .description('lists all accounts')
    .action(act(async (session) => (await import('./commands/admin.js')).accounts(session)));
  admin
    .command('keys <account>')
    .description('lists the keys of an account')
    .action(act(async (session, [account]) => (await import('./commands/admin.js')).accountKeys(session, account!)));
  admin
    .command('create-key <account> <name>')
    .description('creates a key of an account; the secret is shown once')
    .addOption(KEY_SCOPE())
    .option('--expires <time>', 'such as 2027-01-01T00:00:00Z')
    .action(
      act(async (session, [account, name], flags) =>
        (await import('./commands/admin.js')).createForAccount(session, account!, name!, flags),
      ),
    );
  admin
    .command('revoke-key <account> <key>')
    .description('revokes a key of an account')
    .action(
      act(async (session, [account, key]) =>
        (await import('./commands/admin.js')).revokeOfAccount(session, account!, key!),
      ),
    );
  admin
    .command('stop <account>')
    .description('emergency stop: sending stops within 2 seconds')
    .action(
      act(async (session, [account]) => (await import('./commands/admin.js')).stopSending(session, account!, true)),
    );
  admin
    .command('resume <account>')
    .description('ends the emergency stop')
    .action(
      act(async (session, [account]) => (await import('./commands/admin.js')).stopSending(session, account!, false)),
    );
  admin
    .command('waiting')
    .description('lists stalled jobs of all accounts with the reason')
    .option('--account <account>', 'only this account, by id or name')
    .action(act(async (session, _, flags) => (await import('./commands/admin.js')).waiting(session, flags)));
  admin
    .command('senders')
    .description('lists phone numbers of all accounts: pace, tier, problems')
    .option('--account <account>', 'only this account, by id or name')
    .action(act(async (session, _, flags) => (await import('./commands/admin.js')).senders(session, flags)));
}
