/** The frames of a transaction as a tree, with gas, value, decoded calls and reasons of reverts. */
import { useState } from 'preact/hooks';
import { decodeCall, decodeError } from '../data/contracts.js';
import type { Frame } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import { AccountId } from './ids.js';
import { Badge, Code, Coins } from './values.js';
import { abiText } from './events.js';

/** Frames of one list that are shown. */
const SHOWN = 200;

/** A frame with those inside of it. */
export function CallTree({ frame }: { frame: Frame }) {
  return (
    <ul class="tree" aria-label="Calls">
      <Node frame={frame} />
    </ul>
  );
}

function Node({ frame }: { frame: Frame }) {
  const [isOpen, setOpen] = useState(false);
  const { calls = [] } = frame;
  const value = BigInt(frame.value ?? '0x0');
  return (
    <li>
      <div class="frame">
        <Badge kind={frame.error === undefined ? 'accent' : 'bad'}>{frame.type}</Badge>
        {frame.to !== undefined && <AccountId address={frame.to} />}
        <button type="button" class="quiet call" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <code>{callText(frame)}</code>
        </button>
        {value > 0n && <Coins amount={value} />}
        <span class="gas">{groupedText(BigInt(frame.gasUsed))} gas</span>
      </div>
      {frame.error !== undefined && <p class="outcome bad">{failureText(frame)}</p>}
      {isOpen && (
        <div class="stack">
          <Code text={frame.input} what="input" />
          {frame.output !== undefined && frame.output !== '0x' && <Code text={frame.output} what="output" />}
        </div>
      )}
      {calls.length > 0 && (
        <ul>
          {calls.slice(0, SHOWN).map((call, index) => (
            <Node key={index} frame={call} />
          ))}
          {calls.length > SHOWN && <li class="muted">and {calls.length - SHOWN} more calls</li>}
        </ul>
      )}
    </li>
  );
}

function callText({ type, to, input }: Frame): string {
  if (type.startsWith('CREATE')) return `code of ${groupedText((input.length - 2) / 2)} bytes`;
  if (input === '0x') return 'no data';
  const decoded = decodeCall(to, input);
  if (decoded === undefined) return `${input.slice(0, 10)} and ${Math.max(0, (input.length - 10) / 2)} bytes`;
  return `${decoded.name}(${decoded.values.map(({ value }) => abiText(value)).join(', ')})`;
}

/** Why a frame failed: its decoded error, its reason, or the engine's words. */
export function failureText({ to, output, error, revertReason }: Frame): string {
  const decoded = output === undefined ? undefined : decodeError(to, output);
  if (decoded === undefined && output !== undefined && output.length >= 10 && revertReason === undefined)
    return `${error ?? 'reverted'} with ${output.slice(0, 10)}, an error that no known ABI names`;
  if (decoded === undefined) return revertReason ?? error ?? 'failed';
  const { name, values } = decoded;
  const [first] = values;
  if (name === 'Error' && first !== undefined) return `reverted: ${abiText(first.value)}`;
  return `reverted: ${name}(${values.map((one) => `${one.name === '' ? '' : `${one.name}: `}${abiText(one.value)}`).join(', ')})`;
}
