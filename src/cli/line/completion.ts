import type { Command } from 'commander';
import type { CliPorts } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { acceptEverywhere } from './peer-flags.js';

/** The words of a command, and the words that may follow them. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** Adds `completion bash|zsh|fish`: a script that completes every command and flag of this program. */
export function addCompletion(program: Command, ports: CliPorts): void {
  const command = program.command('completion');
  acceptEverywhere(command);
  command
    .description('print a completion script for a shell')
    .argument('<bash|zsh|fish>', 'shell that reads the script')
    .action((shell: string) => {
      const script = SHELLS[shell];
      if (script === undefined)
        throw new CommandError(
          EXIT.usage,
          `completion: ${JSON.stringify(shell)} is none of ${Object.keys(SHELLS).join(', ')}`,
        );
      ports.stdout(script(program.name(), locationsOf(program, '')));
    });
}

const SHELLS: Readonly<Record<string, (program: string, places: readonly Place[]) => string>> = { bash, zsh, fish };

function locationsOf(command: Command, path: string): readonly Place[] {
  const children = command.commands.map((child) => ({ child, name: child.name() }));
  const flags = command.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ short, long }) => [short, long])
    .filter((flag) => flag !== undefined && flag !== null);
  return [
    { path, words: [...children.map(({ name }) => name), ...flags, '--help'] },
    ...children.flatMap(({ child, name }) =>
      [name, ...child.aliases()].flatMap((word) => locationsOf(child, path === '' ? word : `${path} ${word}`)),
    ),
  ];
}

/** Bash script: completes after the longest command path that matches the typed words. */
function bash(program: string, places: readonly Place[]): string {
  return `# bash completion of ${program}: source this file, or put it among the completions of your shell.
declare -A _${program}_words
${places.map(({ path, words }) => `_${program}_words[${quote(path === '' ? ' ' : path)}]=${quote(words.join(' '))}`).join('\n')}
_${program}() {
  local at='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "\${_${program}_words[\${at:+$at }$word]+x}" ]; then at="\${at:+$at }$word"; fi
  done
  COMPREPLY=($(compgen -W "\${_${program}_words[\${at:- }]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${program} ${program}
`;
}

function zsh(program: string, places: readonly Place[]): string {
  return `#compdef ${program}
# zsh completion of ${program}: put it into a folder of $fpath as _${program}.
typeset -A _${program}_words
_${program}_words=(
${places.map(({ path, words }) => `  ${quote(path === '' ? ' ' : path)} ${quote(words.join(' '))}`).join('\n')}
)
_${program}() {
  local at='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( \${+_${program}_words[\${at:+$at }$word]} )); then at="\${at:+$at }$word"; fi
  done
  compadd -- \${=_${program}_words[\${at:- }]}
}
compdef _${program} ${program}
`;
}

function fish(program: string, places: readonly Place[]): string {
  const rules = places.map(
    ({ path, words }) =>
      `complete -c ${program} -f -n ${quote(`__${program}_at ${path}`)} -a ${quote(words.join(' '))}`,
  );
  return `# fish completion of ${program}: put it into ~/.config/fish/completions/${program}.fish.
function __${program}_at
    set -l typed (commandline -opc)[2..-1]
    set -l words (string match -v -- '-*' $typed)
    test (count $words) -ge (count $argv); or return 1
    test "$words[1..-1]" = "$argv"
end
${rules.join('\n')}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
