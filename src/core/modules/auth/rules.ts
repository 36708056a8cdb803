import { equal } from '../../bytes/bytes.js';
import type { Params } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import type { SignerInfo } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { addressOf, type PublicKey } from '../../sdk/signing/public-key.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Gas for verifying a signature of an ethsecp256k1 key (cosmos/evm v0.6 `ante/sigverify.go`). */
export const ETHEREUM_KEY_GAS = 21_000n;

/** Rules about signers and fees of Cosmos transactions. Each may throw SdkError. */
export interface AuthRules {
  /** Called when there is a key at `index`, but the transaction has fewer signers. */
  readonly atKeyWithoutSigner: (index: number, signers: number) => void;
  /** Called before the first signature is verified. */
  readonly requireKeys: (infos: readonly SignerInfo[]) => void;
  /** Called for an unordered transaction. */
  readonly atUnordered: () => void;
  /** Error for a fee granter that is not an address; `fault` is the cause. */
  readonly wrongGranter: (fault: SdkError) => SdkError;
  /** Gas that a simulation charges for a signer instead of its key's gas; undefined: the key's gas. */
  readonly simulatedGas: (
    context: Context,
    key: PublicKey | undefined,
    signer: Uint8Array,
    params: Params,
  ) => bigint | undefined;
}

export const authRules = new RuleSet<AuthRules>({
  atKeyWithoutSigner: () => {},
  requireKeys: () => {},
  atUnordered: () => {},
  wrongGranter: ({ message }) => new SdkError(sdkErrors.invalidAddress, `invalid fee granter address: ${message}`),
  // Clients simulate without a key, or with any type of key: the most expensive type covers all.
  simulatedGas: ({ crypto }, key, signer, { sigVerifyCostSecp256k1 }) => {
    const address = key && addressOf(crypto, key);
    if (address !== undefined && equal(address, signer)) return undefined;
    return sigVerifyCostSecp256k1 > ETHEREUM_KEY_GAS ? sigVerifyCostSecp256k1 : ETHEREUM_KEY_GAS;
  },
});
