import { DONE, refused } from '../../core/errors.js';
import type { EthereumAccountState } from '../../core/ethereum/account-state.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Foundation } from '../compose/foundation.js';
import { readAccounts } from './read-accounts.js';
import { betweenBlocks, type BlockProducer } from './mine.js';
import { readState, writeState, type BlockOfState } from './state-text.js';
import type { TimeCommands } from './time-commands.js';
import { accountAtHead, setAccounts, setBlockFacts, type DevTransactionOptions } from './transactions.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

/** Dumps the state after the head in anvil's format (`anvil_dumpState`). */
export function dumpState(
  {
    limits,
    home: { store },
    host: { timers },
    views: { chain, ledger, ethereumBlock },
  }: Pick<Foundation, 'limits' | 'home' | 'host' | 'views'>,
  consensus: Pick<BlockProducer, 'pause'>,
): Promise<Outcome<Uint8Array>> {
  return betweenBlocks(consensus, async () => {
    const { ethereum } = chain.application;
    const block = ethereumBlock(ledger.state.height);
    if (ethereum === undefined || block === undefined) return refused('this chain has no EVM');
    const at = ledger.context(ledger.state.height);
    const pause = (): Promise<void> => timers.yield();
    const rows = FIXED_LIMITS.devDumpRows;
    const accounts = await readAccounts(
      (place) => readStateAt(store, 'latest', (state) => ethereum.dumpPart(state, at, place, rows), limits),
      { rows: limits.devRevertRows, pause },
    );
    if (!accounts.ok) return accounts;
    const dump = await writeState(block, accounts.value, limits.devStateBytes, pause);
    return dump === undefined
      ? { ok: false, error: { code: 'limit-exceeded', limit: 'devStateBytes', maximum: limits.devStateBytes } }
      : { ok: true, value: dump };
  });
}

export interface LoadOptions extends DevTransactionOptions {
  readonly time: Pick<TimeCommands, 'mine'>;
  readonly limits: Pick<Limits, 'devStateBytes' | 'devStateParts' | 'devMineBlocks'>;
  readonly pause: () => Promise<void>;
}

/**
 * Loads accounts in anvil's format into the state (`anvil_loadState`). As in anvil, a nonce is never lowered. If the
 * dump names its block, blocks are made up to its number, and the last one gets its coinbase, gas limit, base fee and
 * PREVRANDAO, and its time if that is later than the head's. A higher head stays.
 */
export async function loadState(options: LoadOptions, dump: Uint8Array): Promise<Outcome<undefined>> {
  const { ledger, limits } = options;
  const read = await readState(dump, options);
  if (!read.ok) return refused(read.message);
  const { block } = read;
  if (block !== undefined && block.number > ledger.state.height + BigInt(limits.devMineBlocks))
    return refused(
      `The state is of block ${block.number}, and the head is ${ledger.state.height}: limit devMineBlocks (${limits.devMineBlocks}) exceeded; without its member "block" its accounts alone are loaded`,
    );
  const raised = (account: EthereumAccountState): EthereumAccountState => {
    const nonce = accountAtHead(options, account.address)?.nonce ?? 0n;
    return nonce > account.nonce ? { ...account, nonce } : account;
  };
  const set = await setAccounts(options, read.accounts, raised);
  return !set.ok || block === undefined ? set : goOnFrom(options, block);
}

/** Makes the block that the dump names, after a block that sets its facts. */
async function goOnFrom(options: LoadOptions, block: BlockOfState): Promise<Outcome<undefined>> {
  const { ledger, time } = options;
  const before = Number(block.number - ledger.state.height) - 2;
  const mined = before > 0 ? await time.mine(before, undefined) : DONE;
  if (!mined.ok) return mined;
  const { coinbase, gasLimit, baseFee, prevRandao } = block;
  const applied = await setBlockFacts(options, {
    coinbase,
    nextBaseFee: baseFee,
    nextPrevRandao: prevRandao,
    ...(gasLimit > 0n && { gasLimit }),
  });
  if (!applied.ok) return applied;
  const last = await time.mine(1, block.timestamp > ledger.state.time / NS_PER_SECOND ? block.timestamp : undefined);
  return last.ok ? DONE : last;
}
