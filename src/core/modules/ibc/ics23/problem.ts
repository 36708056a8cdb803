/**
 * Thrown where a proof is refused (cosmos/ics23 go v0.11.0 returns an error there); the text is that of the peer.
 * `verifyMembership` and `verifyNonMembership` of the commitment turn it into a refusal of the message.
 */
export class ProofProblem extends Error {}

/** Thrown where the Go library panics: its text is what it panics with. */
export class ProofPanic extends Error {}

/** Does `action`, and puts `text` before the problem that it has. */
export function within<Result>(text: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof ProofProblem) throw new ProofProblem(`${text}, ${error.message}`);
    throw error;
  }
}
