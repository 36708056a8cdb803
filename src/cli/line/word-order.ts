import type { Command, Option } from 'commander';
import { acceptEverywhere } from './peer-flags.js';

/**
 * Reorders a command line for the parser: the words of the command first, then flags and arguments. The Go node also
 * accepts flags anywhere (cobra v1.10 `command.go` Find), and a boolean flag takes a value only after an equals sign
 * (pflag v1.0 `bool.go`).
 */
export function reorderWords(program: Command, words: readonly string[]): readonly string[] {
  const path: string[] = [];
  const flags: Typed[] = [];
  let command = program;
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    const flag = child === undefined ? flagBelow(command, words, at) : undefined;
    if (child !== undefined) {
      path.push(word);
      command = child;
      at += 1;
    } else if (flag !== undefined) {
      flags.push(flag);
      at += flag.words.length;
    } else break;
  }
  // Let a group accept the flags of every command, so that its error names the wrong word after them.
  if (flags.length > 0 && command.commands.length > 0) acceptEverywhere(command);
  return [...path, ...withoutLooseValues(command, [...flags.flatMap((flag) => flag.words), ...words.slice(at)])];
}

/** A flag as typed, with the next word if that is its value. */
interface Typed {
  readonly words: readonly string[];
}

/** The flag at index `at`, if a command below this group has it; undefined if the word is not such a flag. */
function flagBelow(group: Command, words: readonly string[], at: number): Typed | undefined {
  const word = words[at] ?? '';
  if (group.commands.length === 0 || !word.startsWith('-')) return undefined;
  const option = optionBelow(group, nameOf(word));
  if (option === undefined) return undefined;
  return { words: words.slice(at, at + (option.required && !word.includes('=') ? 2 : 1)) };
}

/** Finds an option by name in a command or in the commands below it. */
function optionBelow(command: Command, name: string): Option | undefined {
  const own = command.options.find((option) => isNamed(option, name));
  if (own !== undefined) return own;
  for (const child of command.commands) {
    const found = optionBelow(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reorders flags and arguments: a flag with an optional value is moved behind the arguments if the next word is an
 * argument, and a boolean flag written with a value gets that value.
 */
function withoutLooseValues(command: Command, words: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const bare: string[] = [];
  let at = 0;
  for (; at < words.length && words[at] !== '--'; at += 1) {
    const word = words[at] ?? '';
    const option = word.startsWith('-') ? command.options.find((one) => isNamed(one, nameOf(word))) : undefined;
    const next = words[at + 1];
    if (option === undefined || option.negate) kept.push(word);
    else if (word.includes('=')) kept.push(valued(option, word));
    else if (option.required || (option.optional && next !== undefined && isValueOf(option, next))) {
      kept.push(...words.slice(at, at + 2));
      at += 1;
    } else if (option.optional) bare.push(word);
    else kept.push(word);
  }
  return [...kept, ...bare, ...words.slice(at)];
}

/** Normalises the value of a boolean flag (Go's `strconv.ParseBool`) to true or false. */
function valued(option: Option, word: string): string {
  const name = nameOf(word);
  const value = word.slice(name.length + 1);
  const truth = TRUE.has(value) ? 'true' : FALSE.has(value) ? 'false' : undefined;
  if (truth === undefined || option.required || !(option.isBoolean() || isSwitch(option))) return word;
  option.optional = true;
  return `${name}=${truth}`;
}
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/**
 * True if a word is the value of a flag with an optional value: true or false for a boolean, else a text with spaces
 * (a mnemonic).
 */
function isValueOf(option: Option, word: string): boolean {
  return isSwitch(option) ? word === 'true' || word === 'false' : word.includes(' ');
}

function isSwitch(option: Option): boolean {
  return option.flags.endsWith('[true|false]');
}

function isNamed({ short, long }: Option, name: string): boolean {
  return name === short || name === long;
}

function nameOf(word: string): string {
  return word.replace(/=.*$/s, '');
}
