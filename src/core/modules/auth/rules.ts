import { equal } from '../../bytes/bytes.js';
import type { Params } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import type { SignerInfo } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { addressOf, type PublicKey } from '../../sdk/signing/public-key.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Gas for a signature of an ethsecp256k1 key (cosmos/evm v0.6 `ante/sigverify.go`). */
export const ETHEREUM_KEY_GAS = 21_000n;

/** Rules of signers and fees of Cosmos transactions. Each may throw SdkError. */
export interface AuthRules {
  /** The place `index` has a key, and the transaction has fewer signers. */
  readonly atKeyWithoutSigner: (index: number, signers: number) => void;
  /** Called before the first signature is verified. */
  readonly requireKeys: (infos: readonly SignerInfo[]) => void;
  /** Called for an unordered transaction. */
  readonly atUnordered: () => void;
  /** The refusal of a granter of the fee that is no address; `fault`: the reason. */
  readonly wrongGranter: (fault: SdkError) => SdkError;
  /** Gas that a simulation charges for a signer in place of the gas for its key; undefined: the gas for its key. */
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
  // clients simulate without a key, or with one of any type: the dearest suffices for each
  simulatedGas: ({ crypto }, key, signer, { sigVerifyCostSecp256k1 }) => {
    const address = key && addressOf(crypto, key);
    if (address !== undefined && equal(address, signer)) return undefined;
    return sigVerifyCostSecp256k1 > ETHEREUM_KEY_GAS ? sigVerifyCostSecp256k1 : ETHEREUM_KEY_GAS;
  },
});
