import { describe, expect, it } from 'vitest';
import { create } from '@bufbuild/protobuf';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import {
  commitHash,
  consensusParamsHash,
  dataHash,
  evidenceListHash,
  resultsHash,
} from '../../../src/core/comet/body-hash.js';
import { medianTime } from '../../../src/core/comet/block-time.js';
import { headerHash } from '../../../src/core/comet/header-hash.js';
import { blockIdFromJson, blockIdToJson } from '../../../src/core/comet/json/block-id-json.js';
import { blockFromJson, blockToJson } from '../../../src/core/comet/json/block-json.js';
import { commitFromJson, commitToJson } from '../../../src/core/comet/json/commit-json.js';
import { headerFromJson, headerToJson } from '../../../src/core/comet/json/header-json.js';
import { blockResultsToJson, resultsFromJson } from '../../../src/core/comet/json/results-json.js';
import { validatorFromJson, validatorToJson } from '../../../src/core/comet/json/validator-json.js';
import { blockIdOf } from '../../../src/core/comet/part-set.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { formatTime } from '../../../src/core/comet/time.js';
import { validatorSetHash } from '../../../src/core/comet/validator-set.js';
import { verifyCommit } from '../../support/verify-commit.js';
import { BlockParamsSchema, ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import type { Validator } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { hasGolden } from '../../support/golden.js';
import { nodeCrypto } from './node-crypto.js';
import { RECORDED_CHAINS, recordedHeights } from './recorded-blocks.js';

describe.skipIf(!hasGolden).each(RECORDED_CHAINS)('recorded chain %s', (name) => {
  const heights = hasGolden ? recordedHeights(name) : [];
  const blocks = heights.map(({ block }) => blockFromJson(block.block));
  const validatorsByHash = new Map<string, readonly Validator[]>();
  for (const { validators } of heights) {
    if (validators === undefined) continue;
    const set = validators.validators.map(validatorFromJson);
    validatorsByHash.set(upperHex(validatorSetHash(nodeCrypto, { validators: [...set] })), set);
  }

  it('every block id is the header hash and the hash of the parts of the encoded block', () => {
    expect(blocks.map((block) => blockIdToJson(blockIdOf(nodeCrypto, block).blockId))).toEqual(
      heights.map(({ block }) => block.block_id),
    );
    for (const { header } of heights) {
      if (header !== undefined) expect(headerToJson(headerFromJson(header.header))).toEqual(header.header);
    }
  });

  it('data, last commit and evidence hash to the values in the header', () => {
    for (const block of blocks) {
      expect(upperHex(dataHash(nodeCrypto, block.data?.txs ?? []))).toBe(
        upperHex(block.header?.dataHash ?? new Uint8Array()),
      );
      expect(upperHex(evidenceListHash(nodeCrypto, block.evidence?.evidence ?? []))).toBe(
        upperHex(block.header?.evidenceHash ?? new Uint8Array()),
      );
      expect(block.lastCommit && upperHex(commitHash(nodeCrypto, block.lastCommit))).toBe(
        upperHex(block.header?.lastCommitHash ?? new Uint8Array()),
      );
    }
  });

  it('results of a block hash to last_results_hash of the next header', () => {
    let compared = 0;
    for (const [index, { block_results: results }] of heights.entries()) {
      const next = heights[index + 1];
      if (results === undefined || next === undefined) continue;
      expect(upperHex(resultsHash(nodeCrypto, EncodedResults.of(resultsFromJson(results))))).toBe(
        next.block.block.header.last_results_hash,
      );
      compared++;
    }
    expect(compared > 0 || heights.every(({ block_results: results }) => results === undefined)).toBe(true);
  });

  it('recorded validators hash to validators_hash of their height', () => {
    for (const { validators, block } of heights) {
      if (validators === undefined) continue;
      const set = validators.validators.map(validatorFromJson);
      expect(upperHex(validatorSetHash(nodeCrypto, { validators: set }))).toBe(block.block.header.validators_hash);
    }
  });

  it('block limits hash to consensus_hash', () => {
    const maxGas = name.startsWith('chain-a') ? 10_000_000n : -1n;
    const params = create(ConsensusParamsSchema, {
      block: create(BlockParamsSchema, { maxBytes: 22_020_096n, maxGas }),
    });
    const expected = upperHex(consensusParamsHash(nodeCrypto, params));
    expect(new Set(heights.map(({ block }) => block.block.header.consensus_hash))).toEqual(new Set([expected]));
  });

  it('every last commit and recorded commit verifies against the set of its height', () => {
    let verified = 0;
    for (const [index, { block, commit }] of heights.entries()) {
      const validators = validatorsByHash.get(block.block.header.validators_hash);
      expect(validators, `validators of height ${block.block.header.height}`).toBeDefined();
      const set = { validators: [...(validators ?? [])] };
      const commits = [commit?.signed_header.commit, heights[index + 1]?.block.block.last_commit];
      for (const json of commits) {
        if (json === undefined || json === null) continue;
        const { chain_id: chainId, height } = block.block.header;
        const result = verifyCommit(
          nodeCrypto,
          chainId,
          set,
          blockIdFromJson(block.block_id),
          BigInt(height),
          commitFromJson(json),
        );
        expect(result).toMatchObject({ ok: true });
        verified++;
      }
    }
    expect(verified).toBeGreaterThanOrEqual(heights.length - 1);
  });

  it('block time is the weighted median of the last commit', () => {
    for (const [index, block] of blocks.entries()) {
      const before = heights[index - 1];
      const validators = before && validatorsByHash.get(before.block.block.header.validators_hash);
      if (block.lastCommit === undefined || validators === undefined) continue;
      expect(formatTime(medianTime(block.lastCommit, { validators: [...validators] }))).toBe(
        heights[index]?.block.block.header.time,
      );
    }
  });

  it('decoded and encoded JSON equals the recording byte for byte', () => {
    for (const [index, { block, block_results: results, commit, validators }] of heights.entries()) {
      const made = blocks[index];
      expect(made && JSON.stringify(blockToJson(made))).toBe(JSON.stringify(block.block));
      if (results !== undefined) {
        expect(JSON.stringify(blockResultsToJson(BigInt(results.height), resultsFromJson(results)))).toBe(
          JSON.stringify(results),
        );
      }
      if (commit !== undefined) {
        const { commit: json } = commit.signed_header;
        expect(JSON.stringify(commitToJson(commitFromJson(json)))).toBe(JSON.stringify(json));
      }
      for (const json of validators?.validators ?? [])
        expect(JSON.stringify(validatorToJson(validatorFromJson(json)))).toBe(JSON.stringify(json));
    }
  });

  it('a changed transaction, signature or header field changes its hash', () => {
    const block = blocks.find(({ lastCommit }) => (lastCommit?.signatures.length ?? 0) > 0);
    expect(block?.header).toBeDefined();
    if (block?.header === undefined || block.lastCommit === undefined) return;
    expect(headerHash(nodeCrypto, { ...block.header, appHash: Uint8Array.of(1) })).not.toEqual(
      headerHash(nodeCrypto, block.header),
    );
    const [first, ...rest] = block.lastCommit.signatures;
    const changed = first && {
      ...block.lastCommit,
      signatures: [{ ...first, signature: new Uint8Array(64) }, ...rest],
    };
    expect(changed && commitHash(nodeCrypto, changed)).not.toEqual(commitHash(nodeCrypto, block.lastCommit));
    expect(dataHash(nodeCrypto, [Uint8Array.of(1)])).not.toEqual(dataHash(nodeCrypto, []));
  });
});
