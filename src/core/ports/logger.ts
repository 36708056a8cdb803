/** Log for the operator of the node. */
export interface Logger {
  info(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}
