import { hex } from '../../core/bytes/hex.js';
import type { EthereumAccountState } from '../../core/ethereum/account-state.js';
import type { DumpPart, PartStart } from '../../core/ethereum/state-proof.js';
import type { Outcome } from '../../core/node-api.js';

type Slot = EthereumAccountState['slots'][number];

/**
 * Reads every account with a balance, nonce, code or storage from a state, page by page; the event loop runs between
 * pages. Fails as `read` does, and with `limit-exceeded` beyond `rows` rows (`devRevertRows`).
 */
export async function readAccounts(
  read: (place: PartStart | undefined) => Promise<Outcome<DumpPart>>,
  { rows, pause }: { readonly rows: number; readonly pause: () => Promise<void> },
): Promise<Outcome<readonly EthereumAccountState[]>> {
  const slotsOf = new Map<string, Slot[]>();
  const accounts: EthereumAccountState[] = [];
  let left = rows;
  for (let place: PartStart | undefined; ;) {
    const part = await read(place);
    if (!part.ok) return part;
    left -= part.value.slots.length + part.value.accounts.length;
    if (left < 0) return { ok: false, error: { code: 'limit-exceeded', limit: 'devRevertRows', maximum: rows } };
    for (const { address, slot, value } of part.value.slots) {
      const name = hex(address);
      const slots = slotsOf.get(name) ?? [];
      slotsOf.set(name, slots);
      slots.push({ slot, value: wordOf(value) });
    }
    for (const account of part.value.accounts) {
      const slots = slotsOf.get(hex(account.address)) ?? [];
      if (account.nonce > 0n || account.balance > 0n || account.code.length > 0 || slots.length > 0)
        accounts.push({ ...account, slots });
    }
    place = part.value.next;
    if (place === undefined) return { ok: true, value: accounts };
    await pause();
  }
}

function wordOf(value: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(value, 32 - value.length);
  return word;
}
