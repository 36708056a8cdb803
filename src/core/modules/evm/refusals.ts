/**
 * Refusals of Ethereum transactions, with the texts of geth or, where the application version promises it, of evmd. The
 * codes are the SDK's in both, so that the consensus RPC stays the same.
 */
import type { Context } from '../../sdk/module/context.js';
import { plainError, SdkError, sdkErrors, type RegisteredError } from '../../sdk/module/sdk-error.js';

/** An error whose whole text is geth's. */
function inWordsOfGeth(registered: RegisteredError, text: string): SdkError {
  return new SdkError({ ...registered, text });
}

/** True where the application version is Ethereum's rather than evmd's. */
export function hasRulesOfGeth({ version }: Pick<Context, 'version'>): boolean {
  return version.quirks.ethereumRules === 'geth';
}

/** Chooses the text of the application version. */
export function refusal(
  context: Pick<Context, 'version'>,
  registered: RegisteredError,
  geth: string,
  evmd: () => SdkError,
): SdkError {
  return hasRulesOfGeth(context) ? inWordsOfGeth(registered, geth) : evmd();
}

/** A broken rule of the transaction alone (shape, gas, signature), with the same text in both. */
export function brokenRule(context: Pick<Context, 'version'>, text: string): SdkError {
  return refusal(context, sdkErrors.invalidRequest, text, () => plainError(text));
}
