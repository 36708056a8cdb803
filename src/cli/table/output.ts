import { printableJson } from '../../core/text/printable.js';
import type { CommandContext } from '../context.js';

/** Formats one value: `text` is YAML with sorted keys, as the SDK prints it; `json` is one line. */
export function render(value: unknown, output: 'text' | 'json'): string {
  return output === 'json' ? `${printableJson(value)}\n` : yamlOf(value);
}

/** Prints a value in the format of the command's flags; JSON over several lines unless `--no-indent`. */
export function print(
  { ports, output, indent }: Pick<CommandContext, 'ports' | 'output' | 'indent'>,
  value: unknown,
): void {
  ports.stdout(output === 'json' && indent ? `${printableJson(value, 2)}\n` : render(value, output));
}

/** A JSON value as block style YAML with sorted keys: the SDK's `text` output. */
export function yamlOf(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap((item) => dashed(lines(item)));
  if (typeof value !== 'object' || value === null) return [scalar(value)];
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? ['{}'] : entries.flatMap(([name, part]) => field(scalar(name), part));
}

function field(name: string, value: unknown): readonly string[] {
  const inner = lines(value);
  if (typeof value !== 'object' || value === null || isEmpty(value)) return [`${name}: ${inner[0] ?? ''}`];
  return [`${name}:`, ...(Array.isArray(value) ? inner : inner.map((line) => `  ${line}`))];
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function dashed(inner: readonly string[]): readonly string[] {
  return inner.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`));
}

/** Texts that YAML 1.1 would read as another type. Hexadecimal numbers beyond 64 bits are read as text, as in Go. */
const OTHER_TYPE =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)(e[-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|0x0*[0-9a-f]{1,16}|0o[0-7_]+|0b[01_]+|[-+]?\.?(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$/i;
const NEEDS_QUOTES = /^[\s\-?:,[\]{}#&*!|>'"%@`]|: |:$| #|\s$/;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return printableJson(value);
  if (OTHER_TYPE.test(value) || /\p{Cc}/u.test(value)) return printableJson(value);
  return NEEDS_QUOTES.test(value) ? `'${value.replaceAll("'", "''")}'` : value;
}
