import type { EthereumAccountState } from '../../core/ethereum/account-state.js';
import type { Limits } from '../../core/limits.js';
import type { Outcome } from '../../core/node-api.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Foundation } from '../compose/foundation.js';
import { betweenBlocks, refused, type BlockProducer } from './mine.js';
import { readState, writeState } from './state-text.js';
import { accountAtHead, setAccounts, type DevTransactionOptions } from './transactions.js';

/** The state after the head in anvil's form. */
export function dumpState(
  { limits, home: { store }, views: { chain, ledger, ethereumBlock } }: Pick<Foundation, 'limits' | 'home' | 'views'>,
  consensus: Pick<BlockProducer, 'pause'>,
): Promise<Outcome<Uint8Array>> {
  return betweenBlocks(consensus, async () => {
    const { ethereum } = chain.application;
    const block = ethereumBlock(ledger.state.height);
    if (ethereum === undefined || block === undefined) return refused('this chain has no EVM');
    const at = ledger.context(ledger.state.height);
    const rows = { rangeRows: limits.rangeRows, searchRows: limits.devRevertRows };
    const accounts = await readStateAt(store, 'latest', (state) => ethereum.allAccounts(state, at), rows);
    if (!accounts.ok) return accounts;
    const dump = writeState(block, accounts.value, limits.devStateBytes);
    return dump === undefined
      ? { ok: false, error: { code: 'limit-exceeded', limit: 'devStateBytes', maximum: limits.devStateBytes } }
      : { ok: true, value: dump };
  });
}

/** Adds accounts in anvil's form to the state. As in anvil, a nonce is never lowered. */
export async function loadState(
  options: DevTransactionOptions,
  dump: Uint8Array,
  { devStateBytes }: Pick<Limits, 'devStateBytes'>,
): Promise<Outcome<undefined>> {
  const read = readState(dump, devStateBytes);
  if (!read.ok) return refused(read.message);
  const raised = (account: EthereumAccountState): EthereumAccountState => {
    const nonce = accountAtHead(options, account.address)?.nonce ?? 0n;
    return nonce > account.nonce ? { ...account, nonce } : account;
  };
  return setAccounts(options, read.accounts.map(raised));
}
