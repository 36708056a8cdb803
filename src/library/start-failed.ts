/** The node was not started: an option is wrong, a port is taken, the home is in use or damaged. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';

  /** `code` is the id that the command line shows, such as `E_CONFIG` or `E_PORT_IN_USE`. */
  constructor(
    readonly code: string,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
