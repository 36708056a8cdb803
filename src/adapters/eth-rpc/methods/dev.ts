/**
 * Commands of dev mode and their aliases (`docs/interfaces/dev-commands.md`). On other nodes these methods do not
 * exist.
 */
import type { EthereumDevApi } from '../../../core/ethereum/api.js';
import { hexQuantity } from '../../../core/bytes/hex.js';
import { MAX_NONCE } from '../../../core/ethereum/check-transaction.js';
import type { Outcome } from '../../../core/node-api.js';
import { FIXED_LIMITS, type Limits } from '../../../core/limits.js';
import { isObject } from '../envelope.js';
import { invalidParams, rpcErrorOf } from '../errors.js';
import { type Answer, type Method, failed, method, ok } from '../method.js';
import { address, data, slot } from '../params/hex.js';
import { looseNumber, looseQuantity } from '../params/numbers.js';
import { type Param, bad, bool, good, optional, required, withDefault } from '../params/param.js';

interface MineOptions {
  readonly blocks: bigint;
  readonly timestamp: bigint | undefined;
}

const ONE_BLOCK: MineOptions = { blocks: 1n, timestamp: undefined };

/** `{timestamp?, blocks?}`, or the timestamp alone. */
const mineOptions = withDefault(
  required<MineOptions>('mine options', (value) => {
    if (!isObject(value)) {
      const timestamp = looseNumber(value);
      return timestamp === undefined ? bad('not a timestamp') : good({ blocks: 1n, timestamp });
    }
    const blocks = looseNumber(value['blocks'] ?? 1);
    const timestamp = (value['timestamp'] ?? null) === null ? undefined : looseNumber(value['timestamp']);
    if (blocks === undefined) return bad('blocks is not a number');
    return timestamp === undefined && (value['timestamp'] ?? null) !== null
      ? bad('timestamp is not a number')
      : good({ blocks, timestamp });
  }),
  ONE_BLOCK,
);

const nonce: Param<bigint> = required('nonce', (value) => {
  const number = looseNumber(value);
  return number === undefined || number > MAX_NONCE ? bad('not a nonce') : good(number);
});

/** A larger timestamp counts milliseconds, as in anvil. */
const LAST_SECONDS = 1_000_000_000_000n;

const interval: Param<bigint> = required('seconds', (value) => {
  const seconds = looseNumber(value);
  return seconds === undefined || seconds > FIXED_LIMITS.devIntervalSeconds
    ? bad('not a number of seconds between blocks')
    : good(seconds);
});

/** Namespaces under which tools call the same commands. */
const NAMESPACES = ['anvil', 'hardhat'] as const;

export function devMethods(dev: EthereumDevApi): readonly Method[] {
  const mine = async (
    blocks: bigint,
    timestamp: bigint | undefined,
    limits: Limits,
    json: string,
    seconds?: bigint,
  ): Promise<Answer> => {
    if (blocks > BigInt(limits.devMineBlocks))
      return failed(invalidParams(`limit devMineBlocks (${limits.devMineBlocks}) exceeded`));
    return answerOf(await dev.mine(Number(blocks), timestamp, seconds), () => json);
  };
  const setBalance = (name: string): Method =>
    method(name, [address, looseQuantity], async ([account, balance]) =>
      answerOf(await dev.setBalance(account, balance), () => 'null'),
    );
  const setCode = (name: string): Method =>
    method(name, [address, data], async ([account, code]) =>
      answerOf(await dev.setAccount(account, { code }), () => 'null'),
    );
  const setNonce = (name: string): Method =>
    method(name, [address, nonce], async ([account, value]) =>
      answerOf(await dev.setAccount(account, { nonce: value }), () => 'null'),
    );
  const setStorage = (name: string): Method =>
    method(name, [address, slot, slot], async ([account, key, value]) =>
      answerOf(await dev.setAccount(account, { slots: [{ slot: key, value }] }), () => 'true'),
    );
  const setNextTimestamp = (name: string): Method =>
    method(name, [looseQuantity], async ([timestamp]) =>
      answerOf(await dev.setNextBlockTimestamp(timestamp), () => 'null'),
    );
  const setTime = (name: string): Method =>
    method(name, [looseQuantity], async ([time]) =>
      answerOf(await dev.setTime(time > LAST_SECONDS ? time / 1_000n : time), String),
    );
  const setAutomine = (name: string): Method =>
    method(name, [bool], async ([on]) => {
      if (!on && dev.mining().kind !== 'instant') return ok('null');
      return answerOf(await dev.setMining({ kind: on ? 'instant' : 'manual' }), () => 'null');
    });
  const setInterval = (name: string): Method =>
    method(name, [interval], async ([seconds]) =>
      answerOf(
        await dev.setMining(
          seconds === 0n ? { kind: 'manual' } : { kind: 'interval', intervalMs: Number(seconds) * 1_000 },
        ),
        () => 'null',
      ),
    );
  const getAutomine = (name: string): Method => method(name, [], () => ok(String(dev.mining().kind === 'instant')));
  const getInterval = (name: string): Method =>
    method(name, [], () => {
      const mining = dev.mining();
      return ok(mining.kind === 'interval' ? String(mining.intervalMs / 1_000) : 'null');
    });
  const increaseTime = (name: string): Method =>
    method(name, [looseQuantity], async ([seconds]) => answerOf(await dev.increaseTime(seconds), String));
  const snapshot = (name: string): Method =>
    method(name, [], async () => answerOf(await dev.snapshot(), (id) => `"${hexQuantity(id)}"`));
  const revert = (name: string): Method =>
    method(name, [looseQuantity], async ([id]) => answerOf(await dev.revert(id), String));
  return [
    method('evm_mine', [mineOptions], ([{ blocks, timestamp }], { limits }) =>
      mine(blocks, timestamp, limits, '"0x0"'),
    ),
    ...NAMESPACES.map((namespace) =>
      method(
        `${namespace}_mine`,
        [withDefault(looseQuantity, 1n), optional(looseQuantity)],
        ([blocks, seconds], { limits }) =>
          mine(blocks, undefined, limits, 'null', seconds === 0n ? undefined : seconds),
      ),
    ),
    increaseTime('evm_increaseTime'),
    increaseTime('anvil_increaseTime'),
    setNextTimestamp('evm_setNextBlockTimestamp'),
    setNextTimestamp('anvil_setNextBlockTimestamp'),
    setTime('evm_setTime'),
    setTime('anvil_setTime'),
    setAutomine('evm_setAutomine'),
    setAutomine('anvil_setAutomine'),
    getAutomine('anvil_getAutomine'),
    getAutomine('hardhat_getAutomine'),
    setInterval('evm_setIntervalMining'),
    setInterval('anvil_setIntervalMining'),
    getInterval('anvil_getIntervalMining'),
    snapshot('evm_snapshot'),
    snapshot('anvil_snapshot'),
    revert('evm_revert'),
    revert('anvil_revert'),
    setBalance('anvil_setBalance'),
    setBalance('hardhat_setBalance'),
    setBalance('tenderly_setBalance'),
    setBalance('evm_setAccountBalance'),
    setCode('anvil_setCode'),
    setCode('hardhat_setCode'),
    setCode('evm_setAccountCode'),
    setNonce('anvil_setNonce'),
    setNonce('hardhat_setNonce'),
    setNonce('evm_setAccountNonce'),
    setStorage('anvil_setStorageAt'),
    setStorage('hardhat_setStorageAt'),
  ];
}

function answerOf<Value>(outcome: Outcome<Value>, json: (value: Value) => string): Answer {
  return outcome.ok ? ok(json(outcome.value)) : failed(rpcErrorOf(outcome.error));
}
