/** Limits of single formats; part of `FIXED_LIMITS`. */
export const FORMAT_LIMITS = {
  /** Digits before and after the decimal point of a number in a query. */
  queryDigits: 256,
  /** Nesting of RLP lists; a transaction has three levels. */
  rlpDepth: 8,
  /** Types of one typed data document (EIP-712). */
  typedDataTypes: 100,
  /** Members of all types of a typed data document. */
  typedDataMembers: 1_000,
  /** Characters of a name in a typed data document. */
  typedDataName: 256,
  /** Nesting of structs and arrays in a typed data document. */
  typedDataDepth: 64,
  /**
   * Values of a typed data document. An absent struct counts, because `{}` can expand to as many values as its type has
   * members.
   */
  typedDataValues: 20_000,
  /** Characters of the hashed type descriptions. In a chain of types each description contains all following ones. */
  typedDataDescribed: 500_000,
  /** Bytes of an address that a query converts to text. */
  addressBytes: 4_096,
  /** Parts of a key path (BIP-32). */
  keyPathParts: 10,
  /** Nesting of messages in REST answers, including `Any`; bounds the stack depth for stored transactions. */
  jsonMessageDepth: 64,
  /** Encoded bytes from which on a REST answer is converted to JSON in turns of the event loop. */
  restTurnBytes: 16 * 1024,
  /** Characters converted per turn: about 5 ms. A field and an element of a list are converted at once. */
  restTurnCharacters: 128 * 1024,
  /** Digits of a number in a REST request; longer numbers are out of range anyway. */
  scalarDigits: 64,
  /** Parts of a dotted name in a REST request. */
  fieldNames: 8,
  /** Base64 pieces in one gRPC-web request. */
  grpcWebFrames: 100,
  /** Characters of an unknown gRPC path that the answer repeats. */
  grpcShownPath: 256,
} as const;
