import { Argument, Command, Help, Option } from 'commander';
import { version } from '../../package.json';
import type { Act } from './action';
import { Interrupted } from './exit-codes';
import { addAccountCommands } from './program-account';
import { SHELLS } from './completion';
import { nonEmpty } from './option-values';
import { addSendingCommands } from './program-sending';
import { Output } from './output';
import { type GlobalOptions, Session } from './session';

/** The context of a run of the program, and its exit code. */
export interface Run {
  signal: AbortSignal;
  ended: { code: number };
}

const SOURCES = `
Service and key: --url and --key, or MESSAGING_URL and MESSAGING_API_KEY, or those saved by \`messaging login\`.
Data goes to standard output (with --json as JSON and nothing else), everything else to standard error.`;

const HELP = `
Exit codes:
  0    done
  1    refused, or nothing has this name
  2    wrong usage, such as an invalid value
  3    invalid key, or missing scope
  4    the service is unreachable or too busy
  5    some recipients or rows failed
  6    unknown whether the message was sent
  130  interrupted

Examples:
  $ messaging login --url https://messaging.example.com
  $ messaging send +4915112345678 Mira PK-7731 --template order_update
  $ messaging import customers.xlsx --template order_update
  $ messaging jobs list --status Paused --json | jq -r '.[].jobId'
  $ eval "$(messaging completion bash)"`;

/** Names of the same actions in other command lines. */
const ALIASES: Readonly<Record<string, string | undefined>> = {
  list: 'ls',
  show: 'get',
  add: 'create',
  remove: 'delete',
};

/** The command line with all its commands. */
export function buildProgram({ signal, ended }: Run): Command {
  const program = new Command('messaging')
    .description('Sends templates with the Messaging Template API, and shows the outcome.')
    .version(version, '-v, --version', 'print the version')
    .option('--url <url>', 'URL of the service', nonEmpty)
    .addOption(
      new Option(
        '--key <key>',
        'API key; visible to other users of this machine, so prefer MESSAGING_API_KEY',
      ).argParser(nonEmpty),
    )
    .option('--json', 'print data as JSON')
    .option('-y, --yes', 'answer yes to all questions')
    .addHelpText('after', ({ command }) =>
      new Help().boxWrap(SOURCES, command.configureOutput().getOutHelpWidth?.() ?? 80),
    )
    .addHelpText('after', HELP)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'messaging: ')) })
    .showHelpAfterError('(run with --help for usage)')
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 12,
      // Leaves more room for the descriptions.
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
    })
    .exitOverride();
  const act: Act =
    (work) =>
    async (...typed) => {
      const command = typed.pop() as Command;
      const flags = typed.pop();
      const words = typed.flat().filter((word) => typeof word === 'string');
      const options = command.optsWithGlobals<GlobalOptions>();
      const session = new Session(new Output({ json: options.json === true }), signal, options);
      try {
        ended.code = await work(session, words, flags as never);
      } catch (error) {
        // Other commands have a more precise message.
        throw signal.aborted && (error === signal.reason || !(error instanceof Interrupted))
          ? new Interrupted(`Interrupted. ${session.undone}`.trim())
          : error;
      }
    };
  addSendingCommands(program, act);
  addAccountCommands(program, act);
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('prints the completion script of a shell')
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import('./completion.js');
      process.stdout.write(`${completionScript(shell, program)}\n`);
    });
  for (const command of program.commands.flatMap(({ commands }) => commands)) {
    const alias = ALIASES[command.name()];
    if (alias) command.alias(alias);
  }
  return program;
}
