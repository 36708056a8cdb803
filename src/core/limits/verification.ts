/** Limits of the verification of contracts; part of `FIXED_LIMITS`. */
export const VERIFICATION_LIMITS = {
  /** Waiting verifications; further ones are refused. */
  verificationJobs: 16,
  /** Verifications whose result is remembered. */
  verificationResults: 256,
  /** Time of one run of a compiler, milliseconds. */
  compilerMs: 120_000,
  /** Bytes of the output of a compiler. */
  compilerOutputBytes: 64 * 1024 * 1024,
  /** Files tried as compilers. */
  compilersTried: 64,
  /** Verified contracts in a home. */
  verifiedContracts: 1_000,
  /** Bytes of a verified contract with its sources, in JSON. */
  verifiedContractBytes: 8 * 1024 * 1024,
  /** Contracts whose ABI a developer supplied to the node. */
  suppliedContracts: 1_000,
  /** Characters of one supplied contract, as JSON. */
  suppliedContractCharacters: 512 * 1024,
} as const;
