/** Limits of caches: their size changes no result; part of `FIXED_LIMITS`. */
export const CACHE_LIMITS = {
  /** Entries in each cache of addresses: by public key, by text and by bytes. */
  cachedAddresses: 4_096,
  /** Decoded transactions in the cache. A full mempool reads all of its transactions after each block. */
  cachedTransactions: 10_000,
  /** Decoded blocks in each cache. */
  cachedBlocks: 64,
  /** Bytes of the blocks and their results in each of these caches. */
  cachedBlockBytes: 16 * 1_024 * 1_024,
  /** Hashes in the cache of hashes that belong to no executed transaction. */
  absentHashes: 1_024,
  /** Blocks that the Ethereum API keeps in memory in its own form. */
  ethereumBlocks: 128,
  /** Transactions and logs in all blocks that the Ethereum API keeps in memory. */
  ethereumBlockItems: 50_000,
  /** Addresses in the cache of module accounts; there are few modules. */
  cachedModuleAddresses: 256,
  /** Cached bech32 prefixes: of accounts, operators and consensus keys. */
  cachedAddressPrefixes: 16,
  /** Cached first topics of precompile events, by event signature. */
  cachedTopics: 256,
  /** Short strings in the cache (names of events and attributes, module addresses); a power of two. */
  knownTexts: 1_024,
  /** State keys whose string forms are kept: those of some hundred transactions; a power of two. */
  knownKeyNames: 8_192,
  /** Longest state key whose string form is kept, bytes: longer keys are rare. */
  knownKeyBytes: 96,
  /** Decoded records that are kept for each kind of record: those of some thousand delegations. */
  decodedRecords: 4_096,
  /** Log addresses and topics whose bloom bits are kept; a power of two. */
  knownBloomBits: 1_024,
  /** Cached prefixes of index rows: those of the few composite keys that every transaction has. */
  cachedPrefixes: 1_024,
} as const;
