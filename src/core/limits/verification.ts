/** Limits of the verification of contracts; part of `FIXED_LIMITS`. */
export const VERIFICATION_LIMITS = {
  /** Verifications that wait for the compiler; further ones are refused. */
  verificationJobs: 16,
  /** Verifications whose result is remembered. */
  verificationResults: 256,
  /** Time of one run of a compiler, milliseconds. */
  compilerMs: 120_000,
  /** Bytes of the output of a compiler. */
  compilerOutputBytes: 64 * 1024 * 1024,
  /** Files that are tried as compilers. */
  compilersTried: 64,
  /** Verified contracts in a home. */
  verifiedContracts: 1_000,
  /** Bytes of a verified contract with its sources, in JSON. */
  verifiedContractBytes: 8 * 1024 * 1024,
  /** Contracts whose interface a developer gave to a node. */
  toldContracts: 1_000,
  /** Characters of one contract that a developer gave, as JSON. */
  toldCharacters: 512 * 1024,
} as const;
