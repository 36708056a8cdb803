import { expect, test } from 'vitest';
import { Interfaces } from '../../../src/core/abi/interfaces.js';
import { amountText } from '../../../src/core/activity/amount.js';
import { emptyBlocksLine, unknownMethodLine } from '../../../src/core/activity/block-lines.js';
import { callFrameOf } from '../../../src/core/activity/call-frame.js';
import { callTree, consoleTexts } from '../../../src/core/activity/call-tree.js';
import { type Line, lineText, oneLine } from '../../../src/core/activity/line.js';
import type { Names } from '../../../src/core/activity/names.js';
import { refusedSendLine } from '../../../src/core/activity/refused-send.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';

const A = `0x${'aa'.repeat(20)}`;
const B = `0x${'bb'.repeat(20)}`;
const NAMES: Names = {
  crypto: PURE_KEY_CRYPTO,
  interfaces: new Interfaces(PURE_KEY_CRYPTO),
  accounts: new Map([
    ['aa'.repeat(20), 'dev0'],
    ['bb'.repeat(20), 'dev1'],
  ]),
  contractAt: () => undefined,
};
const word = (value: string): string => value.padStart(64, '0');

test('large amounts are shown in the display unit, small ones in the base unit', () => {
  expect(amountText(0n, 'achr')).toBe('0 achr');
  expect(amountText(10n ** 12n - 1n, 'achr')).toBe('999999999999 achr');
  expect(amountText(15n * 10n ** 17n, 'achr')).toBe('1.5 chr');
  expect(amountText(10n ** 21n, 'achr')).toBe('1000 chr');
  expect(amountText(10n ** 21n, 'ucosm')).toBe('1000000000000000000000 ucosm');
});

test('a line has colours only when they are asked for', () => {
  const line = emptyBlocksLine({ from: toHeight(3n), to: toHeight(5n) }, 'info');
  expect(lineText(line, false)).toBe('blocks 3 to 5 empty');
  expect(lineText(line, true)).toBe('\u001b[2mblocks 3 to 5 empty\u001b[0m');
});

test('the name of an unknown RPC method is shortened and loses its control characters', () => {
  const text = lineText(unknownMethodLine('Ethereum JSON-RPC', `eth_\u001b[2J${'x'.repeat(2_000)}`), false);
  expect(text).not.toContain('\u001b');
  expect(text.length).toBeLessThan(700);
});

test('every part of a line loses its control characters, and colours are added after that', () => {
  const line: Line = { severity: 'info', message: 'm', parts: ['a\u001b[2J', ['bad', 'b\u009b2J']], fields: {} };
  expect(lineText(line, false)).toBe('a [2Jb 2J');
  expect(lineText(line, true)).toBe('a [2J\u001b[31mb 2J\u001b[0m');
});

test('only the first console.log texts of a trace are shown, up to the limit', () => {
  const call = { type: 'STATICCALL', from: B, to: '0x000000000000000000636F6e736F6c652e6c6f67', gasUsed: '0x0' };
  const calls = Array.from({ length: 300 }, (_, index) => ({
    ...call,
    input: `0xf5b1bba9${word(index.toString(16))}`,
  }));
  const frame = callFrameOf({ type: 'CALL', from: A, to: B, gasUsed: '0x1', input: '0x', calls });
  const texts = frame && consoleTexts(frame, NAMES);
  expect(texts).toEqual(Array.from({ length: FIXED_LIMITS.consoleLines }, (_, index) => `${index}`));
});

test('an address printed by console.log is shown in full and not replaced by an account name', () => {
  const input = `0x2c2ecbc2${word('aa'.repeat(20))}`;
  const call = { type: 'STATICCALL', from: B, to: '0x000000000000000000636F6e736F6c652e6c6f67', gasUsed: '0x0', input };
  const frame = callFrameOf({ type: 'CALL', from: A, to: B, gasUsed: '0x1', input: '0x', calls: [call] });
  const whole = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa';
  expect(frame && consoleTexts(frame, NAMES)).toEqual([whole]);
  expect(frame && callTree(frame, NAMES, 'achr').map((line) => lineText(line, false))[1]).toBe(
    `  ├─ console.log  ${whole}`,
  );
});

test('a trace is shown as a tree of calls with events, console.log and results in order', () => {
  const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const event = {
    topics: [topic, `0x${word('aa'.repeat(20))}`, `0x${word('bb'.repeat(20))}`],
    data: `0x${word('7')}`,
    position: '0x1',
  };
  const printed = `0x41304fac${word('20')}${word('2')}${'6869'.padEnd(64, '0')}`;
  const frame = callFrameOf({
    type: 'CALL',
    from: A,
    to: B,
    gasUsed: '0x64',
    value: '0x1',
    input: `0x70a08231${word('aa'.repeat(20))}`,
    output: `0x${word('9')}`,
    logs: [event],
    calls: [
      { type: 'STATICCALL', from: B, to: '0x000000000000000000636F6e736F6c652e6c6f67', gasUsed: '0x0', input: printed },
      {
        type: 'DELEGATECALL',
        from: B,
        to: A,
        gasUsed: '0xa',
        input: '0x12345678',
        error: 'execution reverted',
        output: `0x118cdaa7${word('bb'.repeat(20))}`,
      },
    ],
  });
  expect(frame).toBeDefined();
  if (frame === undefined) return;
  expect(callTree(frame, NAMES, 'achr').map((line) => lineText(line, false))).toEqual([
    'dev0 → dev1.balanceOf(account: dev0)  1 achr  100 gas',
    '  ├─ console.log  hi',
    '  ├─ emit Transfer(from: dev0, to: dev1, value: 7)',
    '  ├─ → (delegate) dev0.0x12345678  10 gas',
    '  │  └─ reverted: OwnableUnauthorizedAccount(dev1)',
    '  └─ returns (9)',
  ]);
  expect(consoleTexts(frame, NAMES)).toEqual(['hi']);
});

test('a created contract is shown with its full address', () => {
  const frame = callFrameOf({
    type: 'CALL',
    from: A,
    to: B,
    gasUsed: '0x1',
    input: '0x',
    calls: [
      { type: 'CREATE', from: B, to: `0x${'cc'.repeat(20)}`, gasUsed: '0x2', input: '0x00', output: '0x' },
      { type: 'CREATE2', from: B, gasUsed: '0x0', input: '0x00', error: 'insufficient balance for transfer' },
    ],
  });
  const contract = { name: 'Token', items: [], creation: undefined, deployed: undefined };
  const names = { ...NAMES, contractAt: () => contract };
  expect(frame && callTree(frame, names, 'achr').map((line) => lineText(line, false))).toEqual([
    'dev0 → dev1  1 gas',
    '  ├─ creates a contract at 0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC  2 gas',
    '  │  └─ ok, 0 bytes of code',
    '  ├─ creates (create2) a contract  0 gas',
    '  │  └─ failed: insufficient balance for transfer',
    '  └─ ok',
  ]);
});

test('the line of a refused send shows its sender, on one line and without control characters', () => {
  const text = (from: string | undefined): string =>
    lineText(refusedSendLine({ method: 'eth_sendTransaction', from, reason: 'unknown\u001b account' }, NAMES), false);
  expect(text(A)).toBe('eth_sendTransaction  dev0  refused: unknown  account');
  expect(text('me\u001b[2J')).not.toContain('\u001b');
  expect(text('x\n'.repeat(5_000)).length).toBeLessThan(2 * FIXED_LIMITS.shownCharacters);
  expect(text('x\ny')).toBe('eth_sendTransaction  x y  refused: unknown  account');
  expect(text(undefined)).toBe('eth_sendTransaction  refused: unknown  account');
  const long = 'why\n'.repeat(5_000);
  const fields = (from: string | undefined) => refusedSendLine({ method: 'm', from, reason: long }, NAMES).fields;
  expect(fields(A)).toEqual({ rpc: 'm', from: A, reason: oneLine(long) });
  expect(fields('x\ny')).toMatchObject({ from: 'x y' });
  expect(fields(undefined)).toMatchObject({ from: null });
});

test('malformed trace JSON is ignored', () => {
  for (const json of [undefined, null, 5, {}, { type: 'CALL' }, { type: 'CALL', from: 'x' }])
    expect(callFrameOf(json)).toBeUndefined();
});
