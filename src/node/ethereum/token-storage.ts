import { concat, concatAll, equal, utf8 } from '../../core/bytes/bytes.js';
import { wordOf } from '../../core/bytes/big-endian.js';
import { hex } from '../../core/bytes/hex.js';
import type { DevChainCommands, DevTokenCommands, EthereumApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';

export interface TokenStorageOptions {
  readonly crypto: Pick<Crypto, 'keccak256'>;
  readonly ethereum: Pick<EthereumApi, 'blockNumber' | 'call' | 'createAccessList'>;
  readonly commands: Pick<DevChainCommands, 'setAccount'>;
}

interface Slot {
  /** The contract that owns the slot: the token, or a contract that it calls, such as a proxied implementation. */
  readonly address: Uint8Array;
  readonly slot: Uint8Array;
}

/**
 * Sets ERC-20 balances and allowances by writing storage. The slot is found as in anvil's `find_erc20_storage_slot`:
 * among the slots that the token reads for its answer, the one whose value determines the answer.
 */
export function createTokenStorage({ crypto, ethereum, commands }: TokenStorageOptions): DevTokenCommands {
  const callData = (signature: string, ...addresses: readonly Uint8Array[]): Uint8Array =>
    concatAll([crypto.keccak256(utf8(signature)).slice(0, 4), ...addresses.map(padded)]);

  const set = async (
    token: Uint8Array,
    data: Uint8Array,
    amount: bigint,
    what: string,
  ): Promise<Outcome<undefined>> => {
    const call = { to: token, data };
    const height = ethereum.blockNumber();
    const listed = await ethereum.createAccessList(call, height, []);
    if (!listed.ok) return listed;
    const read: readonly Slot[] =
      listed.value.kind === 'list'
        ? listed.value.accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot })))
        : [];
    const value = wordOf(amount);
    for (const { address, slot } of read.slice(0, FIXED_LIMITS.tokenSlots)) {
      const overrides = [{ address, slots: [{ slot, value }] }];
      const answer = await ethereum.call(call, height, overrides, {});
      if (!answer.ok) return answer;
      if (answer.value.kind !== 'success' || !equal(answer.value.output, value)) continue;
      return commands.setAccount(address, { slots: [{ slot, value }] });
    }
    return {
      ok: false,
      error: { code: 'invalid-params', message: `no slot of the token 0x${hex(token)} holds its ${what}` },
    };
  };

  return {
    setTokenBalance: (token, owner, amount) => set(token, callData('balanceOf(address)', owner), amount, 'balance'),
    setTokenAllowance: (token, owner, spender, amount) =>
      set(token, callData('allowance(address,address)', owner, spender), amount, 'allowance'),
  };
}

/** An address as an ABI-encoded argument. */
function padded(address: Uint8Array): Uint8Array {
  return concat(new Uint8Array(12), address);
}
