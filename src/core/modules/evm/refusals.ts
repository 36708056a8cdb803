/**
 * Why an Ethereum transaction is refused: geth's words, or evmd's where the application version promises those. Codes are
 * the SDK's in both, so that the consensus face stays the same.
 */
import type { Context } from '../../sdk/context.js';
import { plainError, SdkError, sdkErrors, type RegisteredError } from '../../sdk/sdk-error.js';

/** An error whose whole text is geth's. */
function inWordsOfGeth(registered: RegisteredError, text: string): SdkError {
  return new SdkError({ ...registered, text });
}

/** True where the application version is Ethereum's rather than evmd's. */
export function hasRulesOfGeth({ version }: Pick<Context, 'version'>): boolean {
  return version.quirks.ethereumRules === 'geth';
}

/** Chooses the words of the application version. */
export function refusal(
  context: Pick<Context, 'version'>,
  registered: RegisteredError,
  geth: string,
  evmd: () => SdkError,
): SdkError {
  return hasRulesOfGeth(context) ? inWordsOfGeth(registered, geth) : evmd();
}

/** A rule of the transaction alone (shape, gas, signature): the same words in both. */
export function brokenRule(context: Pick<Context, 'version'>, text: string): SdkError {
  return refusal(context, sdkErrors.invalidRequest, text, () => plainError(text));
}
