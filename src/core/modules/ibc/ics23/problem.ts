/**
 * Thrown for an invalid proof, with the error text of cosmos/ics23 go v0.11.0. `verifyMembership` and
 * `verifyNonMembership` convert it to an SdkError.
 */
export class ProofProblem extends Error {}

/** Thrown where the Go library panics, with the panic's text. */
export class ProofPanic extends Error {}

/** Runs `action` and prefixes `text` to its error. */
export function within<Result>(text: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof ProofProblem) throw new ProofProblem(`${text}, ${error.message}`);
    throw error;
  }
}
