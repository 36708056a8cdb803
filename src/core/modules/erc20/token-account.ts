/** Account of an ERC-20 precompile (cosmos/evm v0.6 `x/erc20/keeper/dynamic_precompiles.go`). */
import { equal } from '../../bytes/bytes.js';
import { fromHex } from '../../bytes/hex.js';
import type { Context } from '../../sdk/module/context.js';
import { getAccount, newAccount, setAccount } from '../auth/accounts.js';
import { codeHashKey, codeKey, getCode, STORE } from '../evm/store.js';
import { TOKEN_CODE } from './token-code.js';

let code: Uint8Array | undefined;
let hash: Uint8Array | undefined;

const tokenCode = (): Uint8Array => (code ??= fromHex(TOKEN_CODE.slice(2)));

/** Hash of the code that all such accounts have. A user-deployed contract may have the same code. */
export const tokenCodeHash = ({ crypto }: Pick<Context, 'crypto'>): Uint8Array =>
  (hash ??= crypto.keccak256(tokenCode()));

/** True for that code. */
export const isTokenCode = (bytes: Uint8Array): boolean => equal(bytes, tokenCode());

/** Sets the code of a token account (20 bytes); balance and nonce stay. Always writes the account. */
export function setTokenCode(context: Context, contract: Uint8Array): void {
  const { store } = context;
  const codeHash = tokenCodeHash(context);
  if (getCode(context, codeHash) === undefined) store.set(STORE, codeKey(codeHash), tokenCode());
  const account = getAccount(context, contract) ?? newAccount(context, contract);
  store.set(STORE, codeHashKey(contract), codeHash);
  setAccount(context, contract, account);
}
