import type { Command } from 'commander';

/** The script that completes commands and options in a shell: `eval "$(messaging completion bash)"`. */
export function completionScript(shell: 'bash' | 'zsh', program: Command): string {
  const cases = wordsAfter(program, '').map(([said, words]) => `    '${said}') choices='${words.join(' ')}' ;;`);
  return shell === 'bash' ? bash(cases) : zsh(cases);
}

function bash(cases: string[]): string {
  return `_messaging() {
  local choices='' said='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ "$word" == -* ]] || said="$said $word"; done
  case "$said" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _messaging messaging`;
}

function zsh(cases: string[]): string {
  return `#compdef messaging
_messaging() {
  local choices='' said='' word
  for word in \${words[2,CURRENT-1]}; do [[ "$word" == -* ]] || said="$said $word"; done
  case "$said" in
${cases.join('\n')}
  esac
  [[ -n "$choices" ]] && compadd -- \${=choices} || _files
}
compdef _messaging messaging`;
}

/** For each command, as it was typed, what may follow it. */
function wordsAfter(command: Command, said: string): [said: string, words: string[]][] {
  const names = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  const below = command.commands.flatMap((each) => wordsAfter(each, `${said} ${each.name()}`));
  return [[said, [...names, ...options]], ...below];
}
