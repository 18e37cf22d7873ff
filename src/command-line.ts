import { Command } from 'commander';

/** Reads the command line of `npm run <script>`: `--help` says what it `takes`, and whatever else is there ends the program with 2. */
export function readCommandLine(script: string, does: string, takes = (command: Command) => command): Command {
  const command = new Command(`npm run ${script} --`)
    .description(does)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  return takes(command).parse(process.argv, { from: 'node' });
}
