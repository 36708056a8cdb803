/**
 * An independent verifier of a chain: it uses only JSON of the public routes block, commit and validators, its own
 * protobuf writer and Node's crypto. It shares no code with src, so it cannot share a mistake. Rules: CometBFT spec,
 * core/data_structures, core/encoding and light-client/verification.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

interface BlockId {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}
interface Header {
  readonly version: { readonly block: string; readonly app?: string };
  readonly chain_id: string;
  readonly height: string;
  readonly time: string;
  readonly last_block_id: BlockId;
  readonly last_commit_hash: string;
  readonly data_hash: string;
  readonly validators_hash: string;
  readonly next_validators_hash: string;
  readonly consensus_hash: string;
  readonly app_hash: string;
  readonly last_results_hash: string;
  readonly evidence_hash: string;
  readonly proposer_address: string;
}
interface Signature {
  readonly block_id_flag: number;
  readonly validator_address: string;
  readonly timestamp: string;
  readonly signature: string | null;
}
interface Commit {
  readonly height: string;
  readonly round: number;
  readonly block_id: BlockId;
  readonly signatures: readonly Signature[];
}
interface Vote {
  readonly type: number;
  readonly height: string;
  readonly round: number;
  readonly block_id: BlockId;
  readonly timestamp: string;
  readonly validator_address: string;
  readonly validator_index: number;
  readonly signature: string;
}
interface Evidence {
  readonly type: string;
  readonly value: {
    readonly vote_a: Vote;
    readonly vote_b: Vote;
    readonly TotalVotingPower: string;
    readonly ValidatorPower: string;
    readonly Timestamp: string;
  };
}
interface BlockAnswer {
  readonly block_id: BlockId;
  readonly block: {
    readonly header: Header;
    readonly data: { readonly txs: readonly string[] };
    readonly evidence: { readonly evidence: readonly Evidence[] };
    readonly last_commit: Commit;
  };
}
interface CommitAnswer {
  readonly signed_header: { readonly header: Header; readonly commit: Commit };
}
interface Validator {
  readonly address: string;
  readonly pub_key: { readonly type: string; readonly value: string };
  readonly voting_power: string;
}
interface ValidatorsAnswer {
  readonly validators: readonly Validator[];
  readonly total: string;
}

/**
 * Verifies every height of the range, both ends included. `fetchJson` answers a URI route such as `/block?height=5`
 * with the JSON-RPC response or its result. Throws an Error that names the height and the rule that failed.
 */
export async function verifyChain(
  fetchJson: (route: string) => Promise<unknown>,
  fromHeight: number,
  toHeight: number,
): Promise<{ headers: number; signatures: number }> {
  let signatures = 0;
  let previous: BlockAnswer | undefined;
  for (let height = fromHeight; height <= toHeight; height++) {
    const fetched = await fetchAs<BlockAnswer>(fetchJson, `/block?height=${height}`);
    const { block_id: id, block } = fetched;
    const { header } = block;
    const expectEqual = (rule: string, actual: string, expected: string): void => {
      if (actual !== expected) throw new Error(`height ${height}: ${rule}: ${actual} is not ${expected}`);
    };
    expectEqual('height', header.height, String(height));
    expectEqual('block hash', hexOf(headerHash(header)), id.hash);
    expectEqual('data_hash', hexOf(merkle(block.data.txs.map((tx) => sha256(base64(tx))))), header.data_hash);
    expectEqual(
      'last_commit_hash',
      hexOf(merkle(block.last_commit.signatures.map(signatureBytes))),
      header.last_commit_hash,
    );
    expectEqual('evidence_hash', hexOf(merkle(block.evidence.evidence.map(evidenceBytes))), header.evidence_hash);
    const parts = partsOf(blockBytes(fetched));
    expectEqual('part count', String(parts.length), String(id.parts.total));
    expectEqual('part set hash', hexOf(merkle(parts)), id.parts.hash);

    const validators = await allValidators(fetchJson, height);
    expectEqual('validators_hash', hexOf(merkle(validators.map(validatorBytes))), header.validators_hash);
    if (!validators.some(({ address }) => address === header.proposer_address))
      throw new Error(`height ${height}: proposer is no validator`);

    const { signed_header: signed } = await fetchAs<CommitAnswer>(fetchJson, `/commit?height=${height}`);
    expectEqual('header of /commit', hexOf(headerHash(signed.header)), id.hash);
    signatures += verifyCommit(height, header.chain_id, id, signed.commit, validators);

    if (previous !== undefined) {
      expectEqual('last_block_id', JSON.stringify(header.last_block_id), JSON.stringify(previous.block_id));
      expectEqual(
        'next_validators_hash of the height before',
        previous.block.header.next_validators_hash,
        header.validators_hash,
      );
      const { seconds, nanos } = timeOf(header.time);
      const before = timeOf(previous.block.header.time);
      if (seconds < before.seconds || (seconds === before.seconds && nanos <= before.nanos))
        throw new Error(`height ${height}: time does not grow`);
    }
    previous = fetched;
  }
  return { headers: toHeight - fromHeight + 1, signatures };
}

async function fetchAs<Answer>(fetchJson: (route: string) => Promise<unknown>, route: string): Promise<Answer> {
  const body = await fetchJson(route);
  if (typeof body !== 'object' || body === null) throw new Error(`${route}: no JSON object`);
  if ('error' in body) throw new Error(`${route}: ${JSON.stringify(body.error)}`);
  return ('result' in body ? body.result : body) as Answer;
}

async function allValidators(
  fetchJson: (route: string) => Promise<unknown>,
  height: number,
): Promise<readonly Validator[]> {
  const all: Validator[] = [];
  for (let page = 1; page <= 100; page++) {
    const { validators, total } = await fetchAs<ValidatorsAnswer>(
      fetchJson,
      `/validators?height=${height}&page=${page}&per_page=100`,
    );
    all.push(...validators);
    if (all.length >= Number(total)) return all;
  }
  throw new Error(`height ${height}: more than 100 pages of validators`);
}

/** Verifies all signatures and the quorum; returns the number of signatures. */
function verifyCommit(
  height: number,
  chainId: string,
  id: BlockId,
  commit: Commit,
  validators: readonly Validator[],
): number {
  if (commit.height !== String(height)) throw new Error(`height ${height}: commit of height ${commit.height}`);
  if (JSON.stringify(commit.block_id) !== JSON.stringify(id))
    throw new Error(`height ${height}: commit of another block`);
  if (commit.signatures.length !== validators.length)
    throw new Error(`height ${height}: ${commit.signatures.length} signatures of ${validators.length} validators`);
  let verified = 0;
  let power = 0n;
  let total = 0n;
  for (const [index, validator] of validators.entries()) {
    total += BigInt(validator.voting_power);
    const signature = commit.signatures[index];
    if (signature === undefined || signature.block_id_flag === 1) continue;
    if (signature.validator_address !== validator.address)
      throw new Error(`height ${height}: signature ${index} of another validator`);
    const forBlock = signature.block_id_flag === 2;
    const vote = Buffer.concat([
      varintField(1, 2n),
      fixedField(2, BigInt(commit.height)),
      fixedField(3, BigInt(commit.round)),
      forBlock ? bytesField(4, blockIdBytes(id)) : Buffer.alloc(0),
      bytesField(5, timeBytes(signature.timestamp)),
      textField(6, chainId),
    ]);
    const key = createPublicKey({
      key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), base64(validator.pub_key.value)]),
      format: 'der',
      type: 'spki',
    });
    if (!verify(null, Buffer.concat([varint(BigInt(vote.length)), vote]), key, base64(signature.signature ?? ''))) {
      throw new Error(`height ${height}: signature ${index} is wrong`);
    }
    verified++;
    if (forBlock) power += BigInt(validator.voting_power);
  }
  if (power <= (total * 2n) / 3n) throw new Error(`height ${height}: only ${power} of ${total} signed`);
  return verified;
}

function headerHash(header: Header): Buffer {
  const hashes = [
    header.last_commit_hash,
    header.data_hash,
    header.validators_hash,
    header.next_validators_hash,
    header.consensus_hash,
    header.app_hash,
    header.last_results_hash,
    header.evidence_hash,
    header.proposer_address,
  ];
  return merkle([
    versionBytes(header),
    textField(1, header.chain_id),
    varintField(1, BigInt(header.height)),
    timeBytes(header.time),
    blockIdBytes(header.last_block_id),
    ...hashes.map((text) => optionalBytesField(1, fromHex(text))),
  ]);
}

function headerBytes(header: Header): Buffer {
  const hashes = [
    header.last_commit_hash,
    header.data_hash,
    header.validators_hash,
    header.next_validators_hash,
    header.consensus_hash,
    header.app_hash,
    header.last_results_hash,
    header.evidence_hash,
    header.proposer_address,
  ];
  return Buffer.concat([
    bytesField(1, versionBytes(header)),
    textField(2, header.chain_id),
    varintField(3, BigInt(header.height)),
    bytesField(4, timeBytes(header.time)),
    bytesField(5, blockIdBytes(header.last_block_id)),
    ...hashes.map((text, index) => optionalBytesField(6 + index, fromHex(text))),
  ]);
}

function blockBytes({ block }: BlockAnswer): Buffer {
  const { last_commit: commit } = block;
  return Buffer.concat([
    bytesField(1, headerBytes(block.header)),
    bytesField(2, Buffer.concat(block.data.txs.map((tx) => bytesField(1, base64(tx))))),
    bytesField(
      3,
      Buffer.concat(block.evidence.evidence.map((evidence) => bytesField(1, bytesField(1, evidenceBytes(evidence))))),
    ),
    bytesField(
      4,
      Buffer.concat([
        varintField(1, BigInt(commit.height)),
        varintField(2, BigInt(commit.round)),
        bytesField(3, blockIdBytes(commit.block_id)),
        ...commit.signatures.map((signature) => bytesField(4, signatureBytes(signature))),
      ]),
    ),
  ]);
}

function partsOf(bytes: Buffer): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  );
}

function versionBytes({ version }: Header): Buffer {
  return Buffer.concat([varintField(1, BigInt(version.block)), varintField(2, BigInt(version.app ?? '0'))]);
}

function blockIdBytes({ hash, parts }: BlockId): Buffer {
  return Buffer.concat([
    optionalBytesField(1, fromHex(hash)),
    bytesField(2, Buffer.concat([varintField(1, BigInt(parts.total)), optionalBytesField(2, fromHex(parts.hash))])),
  ]);
}

function signatureBytes(signature: Signature): Buffer {
  return Buffer.concat([
    varintField(1, BigInt(signature.block_id_flag)),
    optionalBytesField(2, fromHex(signature.validator_address)),
    bytesField(3, timeBytes(signature.timestamp)),
    optionalBytesField(4, base64(signature.signature ?? '')),
  ]);
}

function validatorBytes({ pub_key: key, voting_power: power }: Validator): Buffer {
  return Buffer.concat([bytesField(1, bytesField(1, base64(key.value))), varintField(2, BigInt(power))]);
}

function evidenceBytes({ type, value }: Evidence): Buffer {
  if (type !== 'tendermint/DuplicateVoteEvidence') throw new Error(`evidence of type ${type}`);
  return Buffer.concat([
    bytesField(1, voteBytes(value.vote_a)),
    bytesField(2, voteBytes(value.vote_b)),
    varintField(3, BigInt(value.TotalVotingPower)),
    varintField(4, BigInt(value.ValidatorPower)),
    bytesField(5, timeBytes(value.Timestamp)),
  ]);
}

function voteBytes(vote: Vote): Buffer {
  return Buffer.concat([
    varintField(1, BigInt(vote.type)),
    varintField(2, BigInt(vote.height)),
    varintField(3, BigInt(vote.round)),
    bytesField(4, blockIdBytes(vote.block_id)),
    bytesField(5, timeBytes(vote.timestamp)),
    optionalBytesField(6, fromHex(vote.validator_address)),
    varintField(7, BigInt(vote.validator_index)),
    optionalBytesField(8, base64(vote.signature)),
  ]);
}

function timeOf(text: string): { readonly seconds: bigint; readonly nanos: bigint } {
  const [, date, fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return { seconds: BigInt(Date.parse(`${date}Z`) / 1000), nanos: BigInt(fraction.padEnd(9, '0')) };
}

function timeBytes(text: string): Buffer {
  const { seconds, nanos } = timeOf(text);
  return Buffer.concat([varintField(1, seconds), varintField(2, nanos)]);
}

function merkle(leaves: readonly Uint8Array[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256(Buffer.alloc(0));
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), only]));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.concat([Buffer.of(1), merkle(leaves.slice(0, split)), merkle(leaves.slice(split))]));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

function varintField(field: number, value: bigint): Buffer {
  return value === 0n ? Buffer.alloc(0) : Buffer.concat([Buffer.of(field << 3), varint(value)]);
}

function fixedField(field: number, value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const bytes = Buffer.alloc(9, (field << 3) | 1);
  bytes.writeBigInt64LE(value, 1);
  return bytes;
}

function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of((field << 3) | 2), varint(BigInt(bytes.length)), bytes]);
}

function optionalBytesField(field: number, bytes: Uint8Array): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : bytesField(field, bytes);
}

function textField(field: number, text: string): Buffer {
  return optionalBytesField(field, Buffer.from(text, 'utf8'));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function base64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function fromHex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function hexOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}
