import { type Command, Option } from 'commander';
import type { Act } from './action';
import { UsageError } from './exit-codes';
import { FILE_FORMATS } from './local-files';
import {
  choiceOption,
  collected,
  limitOption,
  nonEmpty,
  payloads,
  readingFile,
  sendWindow,
  wholeFrom,
  words,
} from './option-values';

const FORMAT = () =>
  new Option('--format <format>', 'file format (default: by file ending, otherwise csv)').choices(FILE_FORMATS);
const RECIPIENT_STATES = [
  'Pending',
  'Sent',
  'Delivered',
  'Read',
  'Undelivered',
  'Failed',
  'Skipped',
  'Unknown',
  'Cancelled',
];
const TEMPLATE_STATES = ['Draft', 'Pending', 'Approved', 'Rejected', 'Paused', 'Disabled', 'Archived', 'Deleted'];
const JOB_STATES = ['Scheduled', 'Queued', 'Processing', 'Paused', 'Completed', 'Failed', 'Cancelled'];

/** Commands that send, and commands that show the outcome. */
export function addSendingCommands(program: Command, act: Act): void {
  sending(program.command('send'), 'sends a template to one person')
    .argument('<phone>', 'with its country code')
    .argument('[values...]', 'placeholder values, in order')
    .addHelpText('after', '\nExample:\n  $ messaging send +4915112345678 Mira PK-7731 --template order_update')
    .action(
      act(async (session, [phone, ...values], flags) =>
        (await import('./commands/sending.js')).send(session, phone!, values, flags),
      ),
    );
  const importing = bulk(
    program.command('import'),
    'sends a template to all recipients in a file: checks it, previews messages, asks, follows the job',
  ).argument('<file>', 'xlsx, xls or CSV: a phone number and the values in each row; - for standard input');
  readingFile(importing, '{"phone":"Mobile","values":["First name"]}')
    .option('--reject-invalid', 'send nothing if any row is invalid')
    .option('--keep-duplicates', 'also send to duplicate rows')
    .option('--one-per-person', 'send to the first valid row of each person only, even if the values differ')
    .addHelpText(
      'after',
      '\nExamples:\n  $ messaging import customers.xlsx --template order_update\n  $ messaging import customers.csv --template order_update --check --json\n  $ messaging import customers.csv --template order_update --yes --no-wait\n  $ ./export-customers | messaging import - --template order_update --yes',
    )
    .action(
      act(async (session, [file], flags) => (await import('./commands/sending.js')).importFile(session, file!, flags)),
    );
  bulk(program.command('group'), 'sends a template to all contacts of a group, or of several, each person once')
    .argument('<groups...>', 'ids or names of the groups')
    .option(
      '--value <text>',
      'default of the next placeholder for contacts without a value (parameterDefaults); repeatable',
      collected,
    )
    .option(
      '--attribute <name[=default]>',
      'attribute that the next placeholder gets its value from, instead of --value; repeatable',
      collected,
    )
    .option('--media-attribute <name>', 'attribute with the URL of the header media of each contact')
    .addHelpText(
      'after',
      '\nExamples:\n  $ messaging group "VIP customers" --template order_update --value there --value A-1000' +
        '\n  $ messaging group Berlin Bonn --exclude Staff --template order_update --attribute "First name=there" --attribute Order',
    )
    .action(
      act(async (session, groups, flags) =>
        (await import('./commands/sending.js')).sendToGroups(session, groups, flags),
      ),
    );
  addJobs(program.command('jobs').description('jobs: imports and group sends'), act);
  addTemplates(program.command('templates').description('templates of the account'), act);
}

function sending(command: Command, description: string): Command {
  return command
    .description(description)
    .option('--template <name>', 'name of the template')
    .hook('preAction', requireTemplate)
    .option('--language <code>', 'language, if the template has several')
    .option('--sender <number>', 'number or id of the sender, if the account has several')
    .option('--media-url <url>', 'header media of the template')
    .option('--payload <index=text>', 'payload of a quick reply button, counted from 0; repeatable', payloads)
    .option('--reference <text>', 'your own reference')
    .option('--valid-for <seconds>', 'do not send after this many seconds', wholeFrom(1))
    .option('--idempotency-key <key>', 'the same key never sends twice within 24 hours');
}

/** Required here and not by the parser, which would not name a misspelt `--templat`. */
function requireTemplate(command: Command): void {
  if (command.opts<{ template?: string }>().template === undefined)
    command.error("error: required option '--template <name>' not specified");
}

function bulk(command: Command, description: string): Command {
  return sending(command, description)
    .option('--name <text>', 'name of the job')
    .option('--at <time>', 'when it starts, such as 2026-11-24T09:00')
    .option('--send-window <window>', 'when it may send, such as "mon-fri 09:00-18:00"', sendWindow)
    .option(
      '--time-zone <zone>',
      'time zone of --send-window, and of --at without an offset, such as Europe/Berlin (default: that of this computer)',
    )
    .option('--exclude <group>', 'leaves out the contacts of this group; repeatable', collected)
    .option('--not-reached-by <job>', 'leaves out those whom this job reached', nonEmpty)
    .option('--check', 'only preview the send')
    .option('--wait', 'follow the job even if it starts later')
    .option('--no-wait', 'do not follow the job');
}

function addJobs(jobs: Command, act: Act): void {
  jobs
    .command('list')
    .description('lists newest first')
    .addOption(choiceOption('--status <status>', JOB_STATES))
    .addOption(choiceOption('--kind <kind>', ['Import', 'Group']))
    .option('--reference <text>')
    .option('--search <text>', 'part of the name')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/jobs.js')).list(session, flags)));
  jobs
    .command('show <job>')
    .description('shows counts, and why it waits or failed')
    .action(act(async (session, [job]) => (await import('./commands/jobs.js')).show(session, job!)));
  jobs
    .command('watch <job>')
    .description('follows it until it ends')
    .action(act(async (session, [job]) => (await import('./commands/jobs.js')).watch(session, job!)));
  for (const action of ['pause', 'resume', 'cancel'] as const) {
    jobs
      .command(`${action} <job>`)
      .description(`${action}s it`)
      .action(act(async (session, [job]) => (await import('./commands/jobs.js')).control(session, action, job!)));
  }
  jobs
    .command('retry <job>')
    .description('creates a new job for recipients it did not reach')
    .addOption(new Option('--scope <scope>').choices(['failed', 'undelivered', 'unknown', 'all']).default('failed'))
    .option('--codes <codes>', 'only these error codes, comma-separated', words)
    .option('--skip-retried', 'leave out people whom an earlier retry reached or may reach')
    .option('--sender <number>', 'number or id of another sender of the account')
    .option('--dry-run', 'only show how many recipients it would reach, and why others are excluded')
    .option('--idempotency-key <key>', 'the same key never sends twice within 24 hours')
    .option('--no-wait', 'do not follow the new job')
    .action(act(async (session, [job], flags) => (await import('./commands/jobs.js')).retry(session, job!, flags)));
  jobs
    .command('report <job>')
    .description('writes one row per recipient')
    .addOption(FORMAT())
    .addOption(choiceOption('--status <status>', RECIPIENT_STATES))
    .addOption(
      new Option('--layout <layout>', 'columns of the uploaded file, or row number, phone and values').choices([
        'sheet',
        'standard',
      ]),
    )
    .option('-o, --output <file>', 'output file (default: standard output)')
    .addHelpText(
      'after',
      '\nExample:\n  $ messaging jobs report 0199d1b5-6a5e-7c3a-9b1f-2f8d4c1e7a90 --status Failed > failed.csv',
    )
    .action(act(async (session, [job], flags) => (await import('./commands/jobs.js')).report(session, job!, flags)));
}

function addTemplates(templates: Command, act: Act): void {
  templates
    .command('list')
    .description('lists all templates')
    .addOption(choiceOption('--status <status>', TEMPLATE_STATES))
    .option('--language <code>')
    .option('--search <text>')
    .addOption(limitOption())
    .action(act(async (session, _, flags) => (await import('./commands/templates.js')).list(session, flags)));
  templates
    .command('show <template>')
    .description('shows what a send needs: values with examples, header, buttons, status')
    .option('--language <code>', 'language, if the template has several')
    .action(
      act(async (session, [name], flags) => (await import('./commands/templates.js')).show(session, name!, flags)),
    );
  templates
    .command('sync')
    .description('syncs with the platform')
    .action(act(async (session) => (await import('./commands/templates.js')).sync(session)));
  templates
    .command('preview [template] [values...]')
    .description('shows the message with these values, and any problems')
    .option('--language <code>')
    .option('--draft <file>', 'a JSON file as for POST /templates, in place of a template; - for standard input')
    .action(
      act(async (session, [name, ...values], { draft, ...flags }: { draft?: string; language?: string }) => {
        const commands = await import('./commands/templates.js');
        const all = name === undefined ? values : [name, ...values];
        if (draft !== undefined) return commands.previewDraft(session, draft, all);
        if (name === undefined) throw new UsageError('Name the template, or its file with --draft.');
        return commands.preview(session, name, values, flags);
      }),
    );
  templates
    .command('sample <template>')
    .description('writes a sample file to fill in')
    .option('--language <code>')
    .addOption(FORMAT())
    .option('-o, --output <file>', 'output file; - for standard output')
    .action(
      act(async (session, [name], flags) => (await import('./commands/templates.js')).sample(session, name!, flags)),
    );
}
