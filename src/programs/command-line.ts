import { Command } from 'commander';

/** Parses the command line of `npm run <script>`: `--help` lists its `options`; an unknown argument exits with 2. */
export function readCommandLine(script: string, description: string, options = (command: Command) => command): Command {
  const command = new Command(`npm run ${script} --`)
    .description(description)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  return options(command).parse(process.argv, { from: 'node' });
}
