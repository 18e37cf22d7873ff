import type { Command } from 'commander';

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The completions after a command: subcommands or argument values, and options. */
interface Place {
  /** The preceding words, such as ` jobs list`; empty at the start. */
  path: string;
  words: string[];
  options: string[];
}

/**
 * The script that completes commands and options in a shell: `eval "$(messaging completion bash)"`. For other
 * arguments, such as files, the shell's own completion applies.
 */
export function completionScript(shell: (typeof SHELLS)[number], program: Command): string {
  const places = placesOf(program, program, '');
  const valued = [...new Set(commandsOf(program).flatMap(valuedOptions))];
  if (shell === 'fish') return fish(places, valued);
  return shell === 'bash' ? bash(places, valued) : zsh(places, valued);
}

function bash(places: Place[], valued: string[]): string {
  return `_messaging() {
  local path='' words='' options='' skip='' word current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${posixPath(places, valued)}
  done
${posixChoices(places)}
  COMPREPLY=()
  [[ -n "$skip" ]] && return
  if [[ "$current" == -* ]]; then words="$options"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _messaging messaging`;
}

function zsh(places: Place[], valued: string[]): string {
  // In a folder of $fpath the file is the function itself; with `eval` it must be registered.
  return `#compdef messaging
_messaging() {
  local place='' choices='' options='' skip='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
${posixPath(places, valued).replaceAll('path', 'place')}
  done
${posixChoices(places).replaceAll('path', 'place').replaceAll('words=', 'choices=')}
  if [[ -n "$skip" ]]; then _files; return; fi
  if [[ "\${words[CURRENT]}" == -* ]]; then choices="$options"; fi
  if [[ -n "$choices" ]]; then compadd -- \${=choices}; else _files; fi
}
if [[ "\${funcstack[1]}" == _messaging ]]; then
  _messaging "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit; compinit }
  compdef _messaging messaging
fi`;
}

function posixPath(places: Place[], valued: string[]): string {
  return `    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in
      ${valued.join('|')}) skip=1; continue ;;
    esac
    case "$path $word" in
      ${known(places)
        .map((path) => `'${path}'`)
        .join('|')}) path="$path $word" ;;
    esac`;
}

function posixChoices(places: Place[]): string {
  const cases = places.map(
    ({ path, words, options }) => `    '${path}') words='${words.join(' ')}' options='${options.join(' ')}' ;;`,
  );
  return `  case "$path" in\n${cases.join('\n')}\n  esac`;
}

function fish(places: Place[], valued: string[]): string {
  const cases = places.map(
    ({ path, words, options }) =>
      `    case '${path}'\n      set words ${words.join(' ')}\n      set options ${options.join(' ')}`,
  );
  return `function __messaging_choices
  set -l path ''
  set -l skip ''
  set -l words
  set -l options
  set -l said (commandline -opc)
  set -e said[1]
  for word in $said
    if test -n "$skip"
      set skip ''
      continue
    end
    switch $word
      case ${valued.join(' ')}
        set skip 1
        continue
    end
    switch "$path $word"
      case ${known(places)
        .map((each) => `'${each}'`)
        .join(' ')}
        set path "$path $word"
    end
  end
  test -n "$skip"; and return
  switch "$path"
${cases.join('\n')}
  end
  if string match -q -- '-*' (commandline -ct)
    set words $options
  end
  test (count $words) -gt 0; and printf '%s\\n' $words
end
complete -c messaging -n 'test (count (__messaging_choices)) -gt 0' -f -a '(__messaging_choices)'`;
}

const known = (places: Place[]) => places.map(({ path }) => path).filter((path) => path !== '');

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];

function valuedOptions({ options }: Command): string[] {
  return options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
}

function placesOf(program: Command, command: Command, path: string): Place[] {
  const own = command === program ? [] : command.options;
  const place = {
    path,
    words: [
      ...command.commands.map((each) => each.name()),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ],
    options: [...own, ...program.options].flatMap(({ long }) => long ?? []).concat('--help'),
  };
  return [place, ...command.commands.flatMap((each) => placesOf(program, each, `${path} ${each.name()}`))];
}
