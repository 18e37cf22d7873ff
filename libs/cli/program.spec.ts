import type { Command } from 'commander';
import { buildProgram } from './program';

/** The help of a command on a terminal with so many columns. */
function helpOf(command: Command, columns: number): string {
  let shown = '';
  command.configureOutput({ writeOut: (text) => (shown += text), getOutHelpWidth: () => columns });
  command.outputHelp();
  return shown;
}

describe('The help of the command line', () => {
  const program = buildProgram({ signal: new AbortController().signal, ended: { code: 0 } });
  const commands = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)];

  it.each([80, 50])('keeps words whole in %s columns, except in its usage and examples', (columns) => {
    const lines = commands.flatMap((command) =>
      helpOf(command, columns)
        .split(/\nExamples?:/)[0]!
        .split('\n'),
    );
    expect(lines.length).toBeGreaterThan(500);
    const isLong = (line: string) => line.length > columns && line.trim().includes(' ') && !line.startsWith('Usage: ');
    expect(lines.filter(isLong)).toEqual([]);
  });
});
