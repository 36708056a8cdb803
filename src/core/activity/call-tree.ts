import { CONSOLE_ADDRESS, consoleLine } from '../abi/console.js';
import type { Contract } from '../abi/contract.js';
import { decodeParameters } from '../abi/decode.js';
import { bytesText, decodedText, type NameOf, valuesText } from '../abi/text.js';
import { equal } from '../bytes/bytes.js';
import { checksumAddress } from '../keys/address.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { amountText } from './amount.js';
import { type CallFrame, eachFrame, type FrameLog } from './call-frame.js';
import { failureText } from './ethereum-line.js';
import type { Line, Part } from './line.js';
import { addressText, type Names } from './names.js';

/** True for a call of Solidity's `console.log`. */
function isConsole({ to }: CallFrame): boolean {
  return to !== undefined && equal(to, CONSOLE_ADDRESS);
}

/** Formats addresses in console output completely and without names. */
const wholeAddress =
  ({ crypto }: Names): NameOf =>
  (address) =>
    checksumAddress(crypto, address);

/** Texts printed by `console.log` in a call and its inner calls, in order, up to a limit. */
export function consoleTexts(root: CallFrame, names: Names): readonly string[] {
  const texts: string[] = [];
  eachFrame(root, (frame) => {
    if (texts.length >= FIXED_LIMITS.consoleLines || !isConsole(frame)) return;
    const text = consoleLine(names.crypto, frame.input, wholeAddress(names));
    if (text !== undefined) texts.push(text);
  });
  return texts;
}

/**
 * Lines of a call and its inner calls as a tree: calls by name with arguments, events and `console.log` where they
 * happened, and each call's result or error.
 */
export function callTree(root: CallFrame, names: Names, baseDenom: string): readonly Line[] {
  const lines: Line[] = [];
  const show = (parts: readonly Part[]): void => {
    lines.push({ severity: 'info', message: 'call', parts, fields: {} });
  };
  const inner = (frame: CallFrame, branch: string): void => {
    const contract = contractOf(frame, names);
    const entries = entriesOf(frame, contract, names, baseDenom);
    for (const [index, entry] of entries.entries()) {
      const isLast = index === entries.length - 1;
      show([['faint', `${branch}${isLast ? '└─ ' : '├─ '}`], ...entry.parts]);
      if (entry.call !== undefined) inner(entry.call, `${branch}${isLast ? '   ' : '│  '}`);
    }
  };
  show([`${addressText(names, root.from)} `, ...callParts(root, contractOf(root, names), names, baseDenom)]);
  inner(root, '  ');
  return lines;
}

interface Entry {
  readonly parts: readonly Part[];
  readonly call?: CallFrame;
}

/** Inner calls and events in order, then the result. */
function entriesOf(
  frame: CallFrame,
  contract: Contract | undefined,
  names: Names,
  baseDenom: string,
): readonly Entry[] {
  const entries: Entry[] = [];
  const logs = [...frame.logs];
  for (const [index, call] of frame.calls.entries()) {
    while (logs[0] !== undefined && logs[0].position <= index) entries.push(eventEntry(logs.shift(), contract, names));
    const printed = isConsole(call) ? consoleLine(names.crypto, call.input, wholeAddress(names)) : undefined;
    if (printed !== undefined) entries.push({ parts: ['console.log  ', printed.replaceAll('\n', '\\n')] });
    else entries.push({ parts: callParts(call, contractOf(call, names), names, baseDenom), call });
  }
  for (const log of logs) entries.push(eventEntry(log, contract, names));
  return [...entries, { parts: outcomeParts(frame, contract, names) }];
}

function eventEntry(log: FrameLog | undefined, contract: Contract | undefined, names: Names): Entry {
  const { topics = [], data = new Uint8Array(0) } = log ?? {};
  const event = names.interfaces.event(topics, data, contract);
  const text =
    event === undefined
      ? `${topics.map((topic) => bytesText(topic)).join(' ')} ${bytesText(data)}`
      : decodedText(event, nameOf(names), true);
  return { parts: ['emit ', ['name', text]] };
}

const ARROW: Readonly<Record<string, string>> = {
  CALL: '→',
  STATICCALL: '→ (static)',
  DELEGATECALL: '→ (delegate)',
  CALLCODE: '→ (callcode)',
  CREATE: 'creates',
  CREATE2: 'creates (create2)',
  SELFDESTRUCT: 'destroys itself, to',
};

function callParts(
  { type, to, value, input, gasUsed }: CallFrame,
  contract: Contract | undefined,
  names: Names,
  baseDenom: string,
): readonly Part[] {
  const isCreation = type.startsWith('CREATE');
  const address = to === undefined ? '' : addressText(names, to);
  // Not abbreviated, because this may be the only place that shows the contract's address.
  const place = to === undefined ? '' : ` at ${checksumAddress(names.crypto, to)}`;
  return [
    `${ARROW[type] ?? type.toLowerCase()} `,
    [
      'name',
      isCreation ? `${contract?.name ?? 'a contract'}${place}` : `${address}${argumentsText(input, contract, names)}`,
    ],
    ...(value === 0n ? [] : [`  ${amountText(value, baseDenom)}`]),
    ['faint', `  ${gasUsed} gas`],
  ];
}

function argumentsText(input: Uint8Array, contract: Contract | undefined, names: Names): string {
  if (input.length === 0) return '';
  const call = names.interfaces.call(input, contract);
  return `.${call === undefined ? bytesText(input) : decodedText(call, nameOf(names), true)}`;
}

function outcomeParts(frame: CallFrame, contract: Contract | undefined, names: Names): readonly Part[] {
  const { error, output, type, input } = frame;
  if (error !== undefined) return [['bad', failureText({ message: error, data: output }, contract, names)]];
  if (type.startsWith('CREATE')) return [['good', `ok, ${output.length} bytes of code`]];
  const outputs = output.length === 0 ? undefined : names.interfaces.call(input, contract)?.outputs;
  const values = outputs === undefined || outputs.length === 0 ? undefined : decodeParameters(outputs, output);
  if (values !== undefined) return [['good', `returns (${valuesText(values, nameOf(names), true)})`]];
  return [['good', output.length === 0 ? 'ok' : `returns ${bytesText(output)}`]];
}

function contractOf({ type, to, input }: CallFrame, names: Names): Contract | undefined {
  if (type.startsWith('CREATE')) return names.interfaces.created(input);
  return to === undefined ? undefined : names.contractAt(to);
}

function nameOf(names: Names): (address: Uint8Array) => string {
  return (address) => addressText(names, address);
}
