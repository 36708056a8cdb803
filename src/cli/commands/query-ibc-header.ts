/**
 * `query ibc client header` and `self-consensus-state`: the input for creating and updating a light client of this
 * chain (ibc-go v10 `modules/core/02-client/client/utils/utils.go`).
 */
import { create } from '@bufbuild/protobuf';
import { type CommitJson, commitFromJson } from '../../core/comet/json/commit-json.js';
import { type HeaderJson, headerFromJson } from '../../core/comet/json/header-json.js';
import { type ValidatorJson, validatorFromJson } from '../../core/comet/json/validator-json.js';
import { genesisValidatorSet } from '../../core/comet/validator-updates.js';
import { ConsensusStateSchema, HeaderSchema } from '../../core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { ValidatorUpdateSchema } from '../../core/proto/tendermint/abci/types_pb.js';
import type { Validator, ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { print } from '../table/output.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import { asObject, textOf } from '../client/rpc-client.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';

/** Page size of the validators route, its maximum (CometBFT v0.38 `rpc/core/env.go`). */
const PAGE = 100;

interface SignedHeaderJson {
  readonly header: HeaderJson;
  readonly commit: CommitJson;
}

/** The height of the flag `--height`, else that of the last block. */
async function heightOf({ rpc }: CommandContext, flags: Flags): Promise<bigint> {
  const typed = flags.whole('height');
  if (typed !== undefined && typed > 0n) return typed;
  return BigInt(textOf(asObject((await rpc.call('abci_info'))['response']), 'last_block_height') || '0');
}

async function signedHeader({ rpc }: CommandContext, height: bigint) {
  const { signed_header: found } = await rpc.call('commit', { height: height.toString() });
  return read(found, ({ header, commit }: SignedHeaderJson) => ({
    header: headerFromJson(header),
    commit: commitFromJson(commit),
  }));
}

/** The validator set of a height with fresh proposer priorities, as the Go node builds it. */
async function validatorSet({ rpc }: CommandContext, height: bigint): Promise<ValidatorSet> {
  const all: Validator[] = [];
  for (let page = 1, total = 1; all.length < total; page += 1) {
    const answer = await rpc.call('validators', { height: `${height}`, page: `${page}`, per_page: `${PAGE}` });
    const found = read(answer['validators'], (list: readonly ValidatorJson[]) => list.map(validatorFromJson));
    if (found.length === 0) break;
    all.push(...found);
    total = Number(textOf(answer, 'total'));
  }
  const updates = all.map(({ pubKey, votingPower }) =>
    create(ValidatorUpdateSchema, { ...(pubKey && { pubKey }), power: votingPower }),
  );
  const made = genesisValidatorSet(PURE_CRYPTO, updates);
  if (!made.ok) throw new CommandError(EXIT.failed, made.reason);
  return made.set;
}

/** Parses a part of a node's answer in CometBFT's RPC form. Throws CommandError. */
function read<Json, Value>(json: unknown, parse: (json: Json) => Value): Value {
  try {
    return parse(JSON.parse(JSON.stringify(json)));
  } catch {
    throw new CommandError(EXIT.unreachable, 'the node answered something that is no consensus RPC response');
  }
}

const header: CommandBody = async (context, _, flags) => {
  const height = await heightOf(context, flags);
  const message = create(HeaderSchema, {
    signedHeader: await signedHeader(context, height),
    validatorSet: await validatorSet(context, height),
    trustedHeight: {},
  });
  print({ ...context, indent: false }, protoJson(HeaderSchema, message));
};

const selfConsensusState: CommandBody = async (context, _, flags) => {
  const { header: found } = await signedHeader(context, await heightOf(context, flags));
  const message = create(ConsensusStateSchema, {
    ...(found.time && { timestamp: found.time }),
    root: { hash: found.appHash },
    nextValidatorsHash: found.nextValidatorsHash,
  });
  print({ ...context, indent: false }, protoJson(ConsensusStateSchema, message));
};

export const commands: readonly CommandRow[] = [
  ask('ibc client header', "this chain's header with its signatures", header),
  ask('ibc client self-consensus-state', "what a client knows of this chain's last block", selfConsensusState),
];
