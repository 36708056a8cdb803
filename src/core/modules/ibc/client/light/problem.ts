/** Thrown for an invalid header or commit, with CometBFT's text. `panics`: CometBFT panics here. */
export class LightProblem extends Error {
  constructor(
    text: string,
    readonly panics = false,
  ) {
    super(text);
  }
}
