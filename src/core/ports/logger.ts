/** Lines for the person who runs the node. */
export interface Logger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}
