import type { EthereumReads } from '../../core/application-ethereum.js';
import { MAX_UINT256, MAX_UINT64 } from '../../core/bigint.js';
import { hexData } from '../../core/bytes/hex.js';
import { DONE, refused } from '../../core/errors.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { ChainConfig } from '../../core/sdk/module/chain-config.js';
import type { EthereumAccountState } from '../../core/ethereum/account-state.js';
import type { EthereumAccountEdit, EthereumBlockFacts } from '../../core/ethereum/api.js';
import { CHAIN_LIMITS, DEFAULT_LIMITS } from '../../core/limits/limits.js';
import { expireClientTx } from '../../core/modules/dev/expire-client.js';
import { setAccountTx } from '../../core/modules/dev/set-account.js';
import { MAX_BALANCE_IN_SUPPLY, setBalanceTx } from '../../core/modules/dev/set-balance.js';
import { setBlockFactsTx } from '../../core/modules/dev/set-block-facts.js';
import { slicesOf } from '../../store/leveldb/write-order.js';
import { getSequence } from '../../core/modules/dev/store.js';
import type { NodeApi, Outcome } from '../../core/node-api.js';
import type { EvmAccount } from '../../core/evm/state.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { StateReader } from '../../core/state/state.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { DevClock } from './dev-clock.js';
import { betweenBlocks, NO_BLOCKS, type BlockProducer } from './mine.js';
import { refusalText } from './refusal-text.js';

export interface DevTransactionOptions {
  readonly chain: Pick<ChainConfig, 'bech32Prefix' | 'baseDenom'>;
  readonly crypto: Pick<Crypto, 'sha256'>;
  /** The state after the head. */
  readonly latest: StateReader;
  /** undefined for an application without an EVM. */
  readonly ethereum: Pick<EthereumReads, 'account'> | undefined;
  readonly broadcast: NodeApi['commands']['broadcastTx'];
  readonly ledger: Pick<Ledger, 'tx' | 'state'>;
  readonly consensus: BlockProducer;
  readonly clock: Pick<DevClock, 'whileCommanded'>;
}

/** Creates a transaction of the `dev` module with this sequence. */
type DevTransaction = (sequence: bigint) => Uint8Array;

/** Sets the balance of accounts in the base denom. */
export function setBalance(
  options: DevTransactionOptions,
  accounts: readonly Uint8Array[],
  balance: bigint,
): Promise<Outcome<undefined>> {
  return inBlocks(
    options,
    accounts.map((account) => balanceOf(options.chain, account, balance)),
  );
}

/** Adds to balances of the base denom at the head. Refused if one would exceed 256 bits. */
export async function addBalance(
  options: DevTransactionOptions,
  accounts: readonly Uint8Array[],
  amount: bigint,
): Promise<Outcome<undefined>> {
  const raised: DevTransaction[] = [];
  for (const account of accounts) {
    const balance = (accountAtHead(options, account)?.balance ?? 0n) + amount;
    if (balance > MAX_UINT256) return refused(`the balance of ${hexData(account)} would be above 2^256-1`);
    raised.push(balanceOf(options.chain, account, balance));
  }
  return inBlocks(options, raised);
}

/** The account as the EVM sees it after the head; undefined for an application without an EVM. */
export function accountAtHead(
  { ethereum, latest, ledger }: DevTransactionOptions,
  address: Uint8Array,
): EvmAccount | undefined {
  return ethereum?.account(latest, ledger.state, address);
}

/** Sets nonce, code or slots of an account. */
export function setAccount(
  options: DevTransactionOptions,
  address: Uint8Array,
  edit: EthereumAccountEdit,
): Promise<Outcome<undefined>> {
  return inBlocks(options, [accountOf(options.chain, address, edit)]);
}

/** Sets facts of the following blocks, such as coinbase and gas limit. */
export function setBlockFacts(options: DevTransactionOptions, facts: EthereumBlockFacts): Promise<Outcome<undefined>> {
  const { gasLimit = 0n } = facts;
  if (gasLimit > MAX_UINT64) return Promise.resolve(refused(`gas limit ${gasLimit} is above 2^64-1`));
  return inBlocks(options, [(sequence) => setBlockFactsTx({ sequence }, facts)]);
}

/** Expires an IBC client: moves its trusting period into the past. */
export function expireClient(options: DevTransactionOptions, clientId: string): Promise<Outcome<undefined>> {
  return inBlocks(options, [(sequence) => expireClientTx({ sequence, clientId })]);
}

/**
 * Sets balance, nonce, code and given slots of many accounts. `change` is called for each account just before its
 * transaction is made.
 */
export function setAccounts(
  options: DevTransactionOptions,
  accounts: readonly EthereumAccountState[],
  change: (account: EthereumAccountState) => EthereumAccountState,
): Promise<Outcome<undefined>> {
  function* all(): Generator<DevTransaction> {
    for (const account of accounts) yield* transactionsOf(options.chain, change(account));
  }
  return inBlocks(options, all());
}

function transactionsOf(
  chain: DevTransactionOptions['chain'],
  { address, balance, nonce, code, slots }: EthereumAccountState,
): readonly DevTransaction[] {
  const maximum = CHAIN_LIMITS.devSlots;
  const edits: EthereumAccountEdit[] = [{ nonce, ...(code.length > 0 && { code }), slots: slots.slice(0, maximum) }];
  for (let from = maximum; from < slots.length; from += maximum)
    edits.push({ slots: slots.slice(from, from + maximum) });
  return [balanceOf(chain, address, balance), ...edits.map((edit) => accountOf(chain, address, edit))];
}

function balanceOf(
  { bech32Prefix, baseDenom }: DevTransactionOptions['chain'],
  account: Uint8Array,
  balance: bigint,
): DevTransaction {
  const address = encodeAddress(bech32Prefix, account);
  const outsideSupply = balance > MAX_BALANCE_IN_SUPPLY;
  return (sequence) => setBalanceTx({ address, denom: baseDenom, amount: balance.toString(), sequence, outsideSupply });
}

function accountOf(
  { bech32Prefix }: DevTransactionOptions['chain'],
  account: Uint8Array,
  edit: EthereumAccountEdit,
): DevTransaction {
  const address = encodeAddress(bech32Prefix, account);
  return (sequence) => setAccountTx({ address, sequence }, edit);
}

/** Sends transactions, and makes blocks until they contain all of them; stops at the first refusal. */
async function inBlocks(
  options: DevTransactionOptions,
  transactions: Iterable<DevTransaction>,
): Promise<Outcome<undefined>> {
  for (const some of slicesOf(transactions, DEFAULT_LIMITS.devWaiting)) {
    const sequence = getSequence(options.latest);
    const sent = await sendAll(
      options,
      some.map((make, index) => make(sequence + BigInt(index))),
    );
    if (!sent.ok) return sent;
  }
  return DONE;
}

/** Sends the transactions and mines them before any other block begins. */
function sendAll(options: DevTransactionOptions, txs: readonly Uint8Array[]): Promise<Outcome<undefined>> {
  const { clock, crypto, ledger, consensus } = options;
  return betweenBlocks(consensus, async (lease) => {
    if (consensus.view.mode() === 'halted') return NO_BLOCKS;
    for (const admitted of await Promise.all(txs.map((tx) => options.broadcast(tx)))) {
      if (!admitted.ok) return admitted;
      if (admitted.value.code !== 0) return refused(refusalText(admitted.value));
    }
    const waiting = new Set(txs.map((tx) => crypto.sha256(tx)));
    // Many transactions may need several blocks; each block includes at least one.
    for (let made = 0; made < txs.length; made += 1) {
      const mined = await clock.whileCommanded(() => lease.mine());
      if (!mined.ok) return mined;
      const looked = takeMined(ledger, waiting);
      if (!looked.ok || waiting.size === 0) return looked;
    }
    return { ok: false, error: { code: 'busy', what: 'block production' } };
  });
}

/** Removes mined transactions from `waiting`; refuses if one of them failed. */
function takeMined(ledger: Pick<Ledger, 'tx'>, waiting: Set<Uint8Array>): Outcome<undefined> {
  for (const hash of [...waiting]) {
    const result = ledger.tx(hash)?.result;
    if (result === undefined) continue;
    if (result.code !== 0) return refused(refusalText(result));
    waiting.delete(hash);
  }
  return DONE;
}
