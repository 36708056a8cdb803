import { ed25519 } from '@noble/curves/ed25519.js';
import { create } from '@bufbuild/protobuf';
import { fromBase64 } from '../../core/bytes/base64.js';
import { equal } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import { ed25519Address } from '../../core/comet/address.js';
import { duplicateVotes } from '../../core/comet/duplicate-vote.js';
import { evidenceToJson } from '../../core/comet/json/evidence-json.js';
import { validatorFromJson, type ValidatorJson } from '../../core/comet/json/validator-json.js';
import { parseTime, toTimestamp } from '../../core/comet/time.js';
import { indexOfAddress } from '../../core/comet/validator-set.js';
import { voteSignBytes } from '../../core/comet/vote.js';
import { EvidenceSchema } from '../../core/proto/tendermint/types/evidence_pb.js';
import { SignedMsgType, type Vote, VoteSchema } from '../../core/proto/tendermint/types/types_pb.js';
import type { Validator } from '../../core/proto/tendermint/types/validator_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { objectAt } from '../genesis-file.js';
import { validatorSeedIn } from '../home-keys.js';
import { print } from '../table/output.js';
import { asObject, type RpcClient, textOf } from '../client/rpc-client.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';

const VALIDATORS_PER_PAGE = 100;

/**
 * `debug double-sign KEY-FILE`: signs two precommits for different blocks of one height with the key of a
 * `priv_validator_key.json`, and sends them as evidence: the validator is slashed, jailed for ever and tombstoned.
 * Evidence against the only validator stops the chain, so it is not sent without `--end-chain`.
 */
const doubleSign: CommandBody = async (context, [path = ''], flags) => {
  const { rpc } = context;
  const seed = validatorSeedIn(context, path);
  const address = ed25519Address(PURE_CRYPTO, ed25519.getPublicKey(seed));
  const asked = flags.text('height');
  const { block } = await rpc.call('block', asked === undefined ? {} : { height: asked });
  const header = objectAt(objectAt(block, 'block')['header'], 'header');
  const [height, chainId] = [textOf(header, 'height'), textOf(header, 'chain_id')];
  const time = parseTime(textOf(header, 'time'));
  const validators = await validatorsAt(rpc, height);
  const validatorIndex = indexOfAddress({ validators }, address);
  if (time === undefined || validatorIndex < 0)
    throw new CommandError(EXIT.failed, `the key of ${path} was no validator at height ${height}`);
  const [only, ...others] = await validatorsAt(rpc);
  if (only !== undefined && equal(only.address, address) && others.length === 0 && !flags.is('end-chain'))
    throw new CommandError(
      EXIT.failed,
      'this is the only validator: no block can follow the one that punishes it. Make another validator first, or end the chain with --end-chain',
    );
  const vote = (of: string): Vote => {
    const [hash, parts] = [of, `parts of ${of}`].map((text) => PURE_CRYPTO.sha256(new TextEncoder().encode(text)));
    const unsigned = create(VoteSchema, {
      type: SignedMsgType.PRECOMMIT,
      height: BigInt(height),
      blockId: { ...(hash && { hash }), partSetHeader: { total: 1, ...(parts && { hash: parts }) } },
      timestamp: toTimestamp(time),
      validatorAddress: address,
      validatorIndex,
    });
    return { ...unsigned, signature: ed25519.sign(voteSignBytes(chainId, unsigned), seed) };
  };
  const value = duplicateVotes([vote('one block'), vote('another block')], { validators }, time);
  const evidence = create(EvidenceSchema, { sum: { case: 'duplicateVoteEvidence', value } });
  const sent = await rpc.call('broadcast_evidence', { evidence: evidenceToJson(evidence) });
  const hash = upperHex(fromBase64(textOf(sent, 'hash')));
  print(context, { height, validator: upperHex(address), evidence: hash });
};

/** All validators of a height, by default the latest. */
async function validatorsAt(rpc: RpcClient, height?: string): Promise<Validator[]> {
  const all: Validator[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await rpc.call('validators', {
      ...(height !== undefined && { height }),
      page: `${page}`,
      per_page: `${VALIDATORS_PER_PAGE}`,
    });
    const { validators, total } = asObject(answer);
    const list: readonly ValidatorJson[] = Array.isArray(validators) ? validators : [];
    all.push(...list.map(validatorFromJson));
    if (list.length === 0 || all.length >= Number(total)) return all;
  }
}

export const commands: readonly CommandRow[] = [
  command(
    'debug double-sign <key-file>',
    'sign two votes of one height with a priv_validator_key.json, and send them as evidence',
    ['prefix', 'node', 'output'],
    doubleSign,
    {
      options: [
        { flag: '--height <height>', doc: 'height of the votes; the latest by default' },
        { flag: '--end-chain', doc: 'also against the only validator, which stops the chain' },
      ],
    },
  ),
];
