/** Limits of caches: their size changes no result; part of `FIXED_LIMITS`. */
export const CACHE_LIMITS = {
  /** Addresses in each cache: of public keys, of texts, and of bytes. */
  cachedAddresses: 4_096,
  /** Decoded transactions in the cache. A full mempool reads all of its own after each block. */
  cachedTransactions: 10_000,
  /** Decoded blocks in each cache. */
  cachedBlocks: 64,
  /** Hashes in the cache of those that no executed transaction has. */
  absentHashes: 1_024,
  /** Blocks in memory as the Ethereum face shows them. */
  ethereumBlocks: 128,
  /** Transactions and logs of all these blocks. */
  ethereumBlockItems: 50_000,
  /** Addresses in the cache of module accounts; there are few modules. */
  cachedModuleAddresses: 256,
  /** Prefixes of texts of addresses: of accounts, operators and consensus keys. */
  cachedAddressPrefixes: 16,
  /** First topics of the events of the chain's contracts, by their signatures. */
  cachedTopics: 256,
  /** Short texts that are kept, a power of two: names of events and attributes, addresses of modules. */
  knownTexts: 1_024,
  /** Keys of the state whose names are kept as strings, a power of two: those of some hundred transactions. */
  knownKeyNames: 8_192,
  /** Bytes of the longest of them: more than most keys have; longer ones are rare. */
  knownKeyBytes: 96,
  /** Records of one kind whose decoded values are kept: those of some thousand delegations. */
  decodedRecords: 4_096,
  /** Addresses and topics of logs whose bits of a bloom are kept, a power of two. */
  knownBloomBits: 1_024,
  /** Prefixes of index rows in the cache: those of the few composite keys that every transaction has. */
  cachedPrefixes: 1_024,
} as const;
