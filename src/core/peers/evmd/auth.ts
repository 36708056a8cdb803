import { authRules } from '../../modules/auth/rules.js';
import { NIL_POINTER, RecoveredPanic, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Signers and fees of Cosmos transactions of cosmos-sdk v0.53, as evmd composes them. */
export const auth = authRules.with({
  atKeyWithoutSigner: (index, signers) => {
    throw new RecoveredPanic(`runtime error: index out of range [${index}] with length ${signers}`);
  },
  /** The keys of all signers are copied (`x/auth/tx/adapter.go`). */
  requireKeys: (infos) => {
    if (infos.some(({ publicKey }) => publicKey === undefined)) throw new RecoveredPanic(NIL_POINTER);
  },
  /** `evmd/app.go` does not enable them. */
  atUnordered: () => {
    throw new SdkError(sdkErrors.notSupported, 'unordered transactions are not enabled');
  },
  /** `types/tx/types.go` FeeGranter. */
  wrongGranter: ({ message }) => new RecoveredPanic(message),
  simulatedGas: () => undefined,
});
