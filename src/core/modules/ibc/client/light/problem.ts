/** Thrown where a header or a commit is refused; the text is CometBFT's. `panics`: where CometBFT panics. */
export class LightProblem extends Error {
  constructor(
    text: string,
    readonly panics = false,
  ) {
    super(text);
  }
}
