/** Account writes of the EVM in cosmos/evm v0.6 (`x/vm/keeper/statedb.go`). */
import { checksumAddress } from '../../keys/address.js';
import { ensureModuleAccount, getAccount, newAccount, setAccount, withBase } from '../../modules/auth/accounts.js';
import { getBalance } from '../../modules/bank/balances.js';
import { isBlocked } from '../../modules/bank/send-rules.js';
import { lockedOf } from '../../modules/bank/spendable.js';
import { accountRules, clearStorage, removeAccount } from '../../modules/evm/apply-changes.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE, storageKey } from '../../modules/evm/store.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { unmetered } from '../../sdk/module/gas.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { getFraction } from './precisebank/fractions.js';
import { burnWei, mintWei, moveWei } from './precisebank/move.js';

const MODULE = 'evm';

export const accounts = accountRules.with({
  /** Writes every touched account; a slot set to zero is stored as 32 zero bytes. */
  change: (context, change) => {
    const { store } = context;
    const { address } = change;
    if (change.code !== undefined && change.code.length > 0) store.set(STORE, codeKey(change.codeHash), change.code);
    const known = getAccount(context, address);
    // Calling a precompile creates its account once.
    if (change.isTouch === true && known !== undefined) return 0n;
    // The account number is assigned first; the account is written after its code hash.
    const account = known ?? newAccount(context, address);
    if (isEmptyCodeHash(change.codeHash)) store.delete(STORE, codeHashKey(address));
    else store.set(STORE, codeHashKey(address), change.codeHash);
    setAccount(context, address, withBase(account, { sequence: change.nonce }));
    settleBalance(context, address, change.balance);
    if (change.created && known !== undefined) clearStorage(context, address);
    for (const { slot, value } of change.slots) store.set(STORE, storageKey(address, slot), value);
    return 0n;
  },
  /** An account that exists only because it received coins must have code in the state (DeleteAccount). */
  remove: (context, address) => {
    const account = getAccount(context, address);
    if (account === undefined) return 0n;
    if (isEmptyCodeHash(getCodeHash(context, address)))
      throw plainError(
        `failed to delete account ${checksumAddress(context.crypto, address)}: only smart contracts can be self-destructed`,
      );
    settleBalance(context, address, 0n);
    removeAccount(context, address, account);
    return 0n;
  },
  keepsEmpty: () => true,
});

/** Mints or burns, through the module account, the difference to the balance (wei) that the EVM computed. */
function settleBalance(context: Context, address: Uint8Array, balance: bigint): void {
  const coin = evmCoin(context);
  const { denom, unit } = coin;
  const free = getBalance(context, address, denom) - lockedOf(context, getAccount(context, address), denom);
  // With a gas meter, the fraction's read must be charged in any case.
  const hasFraction = unit !== 1n || unmetered(context.store) !== context.store;
  const fraction = hasFraction ? getFraction(context, address) : 0n;
  const change = balance - (free > 0n ? free : 0n) * unit - fraction;
  if (change === 0n) return;
  const module = ensureModuleAccount(context, MODULE);
  if (change > 0n) {
    mintWei(context, coin, MODULE, change);
    requireReceiver(context, address);
    moveWei(context, coin, module, address, change);
  } else {
    moveWei(context, coin, address, module, -change);
    // Read for the transfer, for precisebank, and for bank.
    ensureModuleAccount(context, MODULE);
    burnWei(context, coin, MODULE, -change);
  }
}

function requireReceiver(context: Context, address: Uint8Array): void {
  if (!isBlocked(context, address)) return;
  const name = encodeAddress(context.chain.bech32Prefix, address);
  throw new SdkError(sdkErrors.unauthorized, `failed to set account: ${name} is not allowed to receive funds`);
}
