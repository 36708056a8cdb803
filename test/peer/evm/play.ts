/** A random player's blocks of Ethereum transactions, executed by evmd and by this program. */
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { bech32 } from '@scure/base';
import { getContractAddress, type Hex, hexToBytes, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import {
  QueryAccountInfoRequestSchema,
  QueryAccountInfoResponseSchema,
} from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import {
  QueryTokenPairsRequestSchema,
  QueryTokenPairsResponseSchema,
} from '../../../src/core/proto/cosmos/evm/erc20/v1/query_pb.js';
import {
  QueryBaseFeeRequestSchema,
  QueryBaseFeeResponseSchema,
} from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import {
  QueryValidatorsRequestSchema,
  QueryValidatorsResponseSchema,
} from '../../../src/core/proto/cosmos/staking/v1beta1/query_pb.js';
import { Liar, Player as Actor, Token } from '../../contracts/index.js';
import { blockDifferences, type Difference } from '../differences.js';
import type { Pair } from '../pair.js';
import type { Random } from '../random.js';
import type { Founding } from './genesis.js';
import { readWrapper } from '../../../src/core/ethereum/wrapper-codec.js';
import { someMessage } from './messages.js';
import { deploymentOf, someTransaction, transferOf, type Signed } from './transactions.js';
import { misWrapped, wrapped } from './wrappers.js';
import type { Player, World } from './world.js';

/** Text of both nodes behind the fault. */
const BROKEN_RLP = 'tx parse error: tx parse error';

/** Keys of the accounts in the genesis documents, and of two that it does not name. */
const KEYS: readonly Hex[] = [
  '0xe9b1d63e8acd7fe676acb43afb390d4b0202dab61abec9cf2a561e4becb147de',
  '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  '0x741de4f8988ea941d3ff0287911ca4074e62b7d45c991a51186455366f10b544',
  `0x${'11'.repeat(32)}`,
  `0x${'22'.repeat(32)}`,
];

function playerOf(key: Hex): Player {
  const address = privateKeyToAddress(key);
  const name = bech32.encode('cosmos', bech32.toWords(hexToBytes(address)));
  return { address, key: hexToBytes(key), bech32: name, number: undefined, nonce: 0 };
}

/** For an address in a log, which is not hashed, evmd shows its bytes and this program its text. */
const isOfBytes = ({ of, theirs }: Difference): boolean => of === 'log' && theirs.startsWith('fee payer address: ');

/** A round of the game: sent transactions, and the difference between the programs. */
export interface Round {
  readonly txs: readonly Uint8Array[];
  readonly difference: string | undefined;
}

export class Play {
  readonly #pair: Pair;
  readonly world: World;

  constructor(pair: Pair, founding: Founding, random: Random) {
    this.#pair = pair;
    this.world = {
      ...founding,
      random,
      evmChainId: Number(founding.evmChainId),
      players: KEYS.map(playerOf),
      contracts: [],
      tokens: ['0x80b5a32E4F032B2a058b4F29EC95EEfEEB87aDcd'],
      operators: [],
      baseFee: 0n,
    };
  }

  /** Contracts that games use. */
  async begin(): Promise<Round> {
    await this.#look();
    const [first] = this.world.players;
    if (first === undefined) throw new Error('there is a player');
    const txs = [Token.bytecode, Liar.bytecode, Actor.bytecode].map((code, index) => {
      this.world.contracts.push(getContractAddress({ from: first.address, nonce: BigInt(index) }));
      const signed = deploymentOf(this.world, first, hexToBytes(code));
      first.nonce += 1;
      return wrapped(this.world, signed);
    });
    this.world.tokens.push(...this.world.contracts.slice(0, 2));
    for (const player of this.world.players.slice(3)) {
      txs.push(wrapped(this.world, transferOf(this.world, first, player.address, 10n ** 21n)));
      first.nonce += 1;
    }
    return this.#run(txs);
  }

  async round(): Promise<Round> {
    const { world } = this;
    const { random } = world;
    const txs: Uint8Array[] = [];
    for (let count = 1 + random.below(6); count > 0; count -= 1) {
      const signed = someTransaction(world);
      const known = world.players.filter(({ number }) => number !== undefined);
      if (random.chance(0.25) && known.length > 0) {
        const player = random.pick(known);
        txs.push(someMessage(world, player));
        player.nonce += 1;
      } else if (random.chance(0.08)) txs.push(misWrapped(world, signed, someTransaction(world)));
      else txs.push(this.#sent(signed));
    }
    for (const tx of txs) {
      if (!random.chance(0.3) || readWrapper(tx) === undefined) continue;
      const { ours, theirs } = await this.#pair.check(tx);
      const [a, b] = [ours, theirs].map(({ code, codespace, log, gasWanted, gasUsed }) =>
        [code, codespace, log, gasWanted, gasUsed].join(' | '),
      );
      // this program's mempool accepts nonce gaps, and checks nonces before balances
      if (
        a !== b &&
        !theirs.log.includes('nonce is') &&
        // the first of several RLP errors, which Go finds in the order of the fields
        !(ours.log.endsWith(BROKEN_RLP) && theirs.log.endsWith(BROKEN_RLP)) &&
        // the bytes of an address
        !theirs.log.startsWith('fee payer address: ')
      )
        return { txs: [tx], difference: `check: ours ${a}, theirs ${b}` };
    }
    return this.#run(txs);
  }

  /** The next nonce is the sender's, unless the transaction has this mistake. */
  #sent(signed: Signed): Uint8Array {
    const { player, transaction } = signed;
    if (transaction.nonce === BigInt(player.nonce)) {
      if (transaction.to === undefined)
        this.world.contracts.push(getContractAddress({ from: player.address, nonce: transaction.nonce }));
      player.nonce += 1;
    }
    return wrapped(this.world, signed);
  }

  async #run(txs: readonly Uint8Array[]): Promise<Round> {
    const { ours, theirs } = await this.#pair.block(txs, { seconds: this.world.random.pick([1, 2, 5.5]) });
    const found = blockDifferences(ours, theirs)
      .filter((difference) => !isOfBytes(difference))
      .map(
        ({ transaction, of, ours: mine, theirs: other }) => `tx ${transaction} ${of}: ours ${mine}, theirs ${other}`,
      );
    await this.#look();
    return { txs, difference: found.length === 0 ? undefined : found.join('\n') };
  }

  /** Reads sequences, base fee and tokens from this program's state. */
  async #look(): Promise<void> {
    const { world } = this;
    const { operators, tokens } = world;
    if (this.#pair.height() === 0n) {
      world.baseFee = 10n ** 9n;
      return;
    }
    for (const player of world.players) {
      const found = await this.#ask(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        QueryAccountInfoRequestSchema,
        { address: player.bech32 },
        QueryAccountInfoResponseSchema,
      );
      player.number = found?.info?.accountNumber;
      player.nonce = Number(found?.info?.sequence ?? 0n);
    }
    const fee = await this.#ask(
      '/cosmos.evm.vm.v1.Query/BaseFee',
      QueryBaseFeeRequestSchema,
      {},
      QueryBaseFeeResponseSchema,
    );
    world.baseFee = BigInt(fee?.baseFee ?? '0');
    const pairs = await this.#ask(
      '/cosmos.evm.erc20.v1.Query/TokenPairs',
      QueryTokenPairsRequestSchema,
      {},
      QueryTokenPairsResponseSchema,
    );
    for (const { erc20Address } of pairs?.tokenPairs ?? [])
      if (!tokens.some((token) => token.toLowerCase() === erc20Address.toLowerCase())) tokens.push(erc20Address as Hex);
    const validators = await this.#ask(
      '/cosmos.staking.v1beta1.Query/Validators',
      QueryValidatorsRequestSchema,
      {},
      QueryValidatorsResponseSchema,
    );
    operators.splice(
      0,
      operators.length,
      ...(validators?.validators ?? []).map(({ operatorAddress }) => operatorAddress),
    );
  }

  async #ask<Request extends DescMessage, Answer extends DescMessage>(
    path: string,
    schema: Request,
    request: MessageInitShape<Request>,
    answer: Answer,
  ): Promise<MessageShape<Answer> | undefined> {
    const data = toBinary(schema, create(schema, request));
    const { code, value } = await this.#pair.ours.engine.query({ path, data, height: 0n, prove: false } as never);
    return code === 0 ? fromBinary(answer, value) : undefined;
  }
}

export const shown = (tx: Uint8Array): string => toHex(tx);
