import { authRules } from '../../modules/auth/rules.js';
import { NIL_POINTER, RecoveredPanic, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Signers and fees of Cosmos transactions in cosmos-sdk v0.53, as configured by evmd. */
export const auth = authRules.with({
  atKeyWithoutSigner: (index, signers) => {
    throw new RecoveredPanic(`runtime error: index out of range [${index}] with length ${signers}`);
  },
  /** The SDK copies the keys of all signers (`x/auth/tx/adapter.go`), so an absent one panics. */
  requireKeys: (infos) => {
    if (infos.some(({ publicKey }) => publicKey === undefined)) throw new RecoveredPanic(NIL_POINTER);
  },
  /** `evmd/app.go` does not enable unordered transactions. */
  atUnordered: () => {
    throw new SdkError(sdkErrors.notSupported, 'unordered transactions are not enabled');
  },
  /** An invalid granter panics in `types/tx/types.go` FeeGranter. */
  wrongGranter: ({ message }) => new RecoveredPanic(message),
  simulatedGas: () => undefined,
});
