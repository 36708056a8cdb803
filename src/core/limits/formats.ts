/** Limits of single formats; part of `FIXED_LIMITS`. */
export const FORMAT_LIMITS = {
  /** Digits before and after the point of a number in a query. */
  queryDigits: 256,
  /** Lists inside each other in RLP; a transaction has three. */
  rlpDepth: 8,
  /** Types of one typed data document (EIP-712). */
  typedDataTypes: 100,
  /** Members of all its types. */
  typedDataMembers: 1_000,
  /** Characters of one of its names. */
  typedDataName: 256,
  /** Structs and arrays inside each other. */
  typedDataDepth: 64,
  /**
   * Values of the document. An absent struct counts as a value, because `{}` can expand to as many values as its type
   * has members.
   */
  typedDataValues: 20_000,
  /** Characters of the hashed type descriptions; in a chain of types each description contains all following ones. */
  typedDataDescribed: 500_000,
  /** Parts of a key path (BIP-32). */
  keyPathParts: 10,
  /** Nesting of messages that REST writes, `Any` included; it bounds the stack for every stored transaction. */
  jsonMessageDepth: 64,
  /** Digits of a number in a REST request; longer numbers are out of every range. */
  scalarDigits: 64,
  /** Parts of a dotted name in a REST request. */
  fieldNames: 8,
  /** Base64 pieces in one gRPC-web request. */
  grpcWebFrames: 100,
  /** Characters of an unknown gRPC path that the answer repeats. */
  grpcShownPath: 256,
} as const;
