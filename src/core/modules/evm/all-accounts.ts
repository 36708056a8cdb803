import { hex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import type { EthereumAccountState } from '../../ethereum/account-state.js';
import type { Context } from '../../sdk/module/context.js';
import { ACCOUNT_PREFIX, addressOfKey, decodeAccount, STORE as ACCOUNTS } from '../auth/accounts.js';
import { isModuleAccount } from '../bank/module-accounts.js';
import { spendableBalanceOf } from './coins.js';
import { ALL_STORAGE, getCode, getCodeHash, isEmptyCodeHash, STORE, storageKeyParts } from './store.js';

/**
 * Every account with a balance, a nonce, a code or storage, as the EVM sees it, in order of addresses, but for those of
 * modules: their coins are what records of the modules say (delegations, rewards, deposits), which no account has. It
 * reads all of the state: for development chains.
 */
export function allAccounts(context: Context): readonly EthereumAccountState[] {
  const { store } = context;
  const storage = allStorage(context);
  const accounts: EthereumAccountState[] = [];
  for (const { key, value } of store.range(ACCOUNTS, prefixRange(ACCOUNT_PREFIX))) {
    const address = addressOfKey(key);
    if (address === undefined || isModuleAccount(context, address)) continue;
    const codeHash = getCodeHash(context, address);
    const stored = decodeAccount(value);
    const account = {
      address,
      nonce: stored.base.sequence,
      balance: spendableBalanceOf(context, stored, address),
      code: isEmptyCodeHash(codeHash) ? new Uint8Array(0) : (getCode(context, codeHash) ?? new Uint8Array(0)),
      slots: storage.get(hex(address)) ?? [],
    };
    if (account.nonce > 0n || account.balance > 0n || account.code.length > 0 || account.slots.length > 0)
      accounts.push(account);
  }
  return accounts;
}

type Slot = EthereumAccountState['slots'][number];

/** The slots of each account by its lower-case hex address. */
function allStorage({ store }: Context): ReadonlyMap<string, readonly Slot[]> {
  const found = new Map<string, Slot[]>();
  for (const { key, value } of store.range(STORE, prefixRange(ALL_STORAGE))) {
    const { address, slot } = storageKeyParts(key);
    const word = new Uint8Array(32);
    word.set(value, 32 - value.length);
    const name = hex(address);
    const slots = found.get(name);
    if (slots === undefined) found.set(name, [{ slot, value: word }]);
    else slots.push({ slot, value: word });
  }
  return found;
}
