/** Source verification of contracts, in terms of Sourcify's API (https://docs.sourcify.dev/docs/api). */
import type { Match } from './match-code.js';

/** A contract to verify. */
export interface VerificationRequest {
  /** Contract address, 20 bytes. */
  readonly address: Uint8Array;
  /** Standard JSON input of the compiler. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Standard JSON output of the compiler, if the caller has it; no compiler is needed then. */
  readonly output: Readonly<Record<string, unknown>> | undefined;
  /** Compiler version such as `0.8.30+commit.73712a01`. */
  readonly compilerVersion: string;
  /** Contract as `path:Name`. */
  readonly contractIdentifier: string;
  /** Hash of the creation transaction, 32 bytes. */
  readonly creationTransaction: Uint8Array | undefined;
}

/** Why a contract is not verified; codes are Sourcify's when it has one. */
export interface VerificationError {
  readonly code:
    | 'already_verified'
    | 'compiler_error'
    | 'compiler_not_found'
    | 'contract_not_deployed'
    | 'contract_not_found'
    | 'invalid_parameter'
    | 'limit_exceeded'
    | 'no_match'
    | 'storage_failed';
  readonly message: string;
}

/** How well a contract matches. */
export interface Matches {
  readonly runtime: Match;
  /** Undefined when the creation transaction is unknown or belongs to another contract. */
  readonly creation: Match | undefined;
}

export interface VerifiedContract extends Matches {
  /** Time in ISO 8601. */
  readonly verifiedAt: string;
  /** keccak256 of the verified code. */
  readonly codeHash: string;
  readonly name: string;
  readonly contractIdentifier: string;
  readonly compilerVersion: string;
  readonly language: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly abi: readonly unknown[];
  /** Source contents by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
  /** Storage layout in the compiler's JSON (`src/core/abi/storage-layout.ts`), if its output contains one. */
  readonly storageLayout?: object | undefined;
}

/** A contract compiled next to the node: its code equals the account's, but its sources were not submitted. */
export type CompiledLocally = Pick<VerifiedContract, 'name' | 'abi' | 'runtime' | 'storageLayout'>;

/** A contract as a developer described it (dev mode), without comparison of code. */
export type SuppliedContract = Pick<VerifiedContract, 'name' | 'abi' | 'storageLayout'>;

/** A contract whose ABI the node knows. */
export type KnownContract =
  | ({ readonly origin: 'supplied'; readonly runtime?: undefined } & SuppliedContract)
  | ({ readonly origin: 'verified' } & VerifiedContract)
  | ({ readonly origin: 'artifacts' } & CompiledLocally);

/** How a contract matched, and when; jobs keep no sources. */
export type MatchedContract = Pick<VerifiedContract, keyof Matches | 'verifiedAt'>;

export interface VerificationJob {
  readonly id: string;
  readonly address: Uint8Array;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
  readonly result:
    | { readonly ok: true; readonly contract: MatchedContract }
    | { readonly ok: false; readonly error: VerificationError }
    | undefined;
}

export interface VerificationApi {
  /** EIP-155 chain id. */
  readonly chainId: bigint;
  /** Starts a job and returns its id, unless the contract already has an exact match or too many jobs wait. */
  begin(
    request: VerificationRequest,
  ): Promise<{ readonly ok: true; readonly id: string } | { readonly ok: false; readonly error: VerificationError }>;
  job(id: string): VerificationJob | undefined;
  /** Verified contract at an address (20 bytes), while its code is unchanged. */
  contract(address: Uint8Array): Promise<VerifiedContract | undefined>;
}
