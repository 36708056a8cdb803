/** Blocks whose transactions execute BLOBBASEFEE wherever the EVM can. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { bech32 } from '@scure/base';
import { type Hex, hexToBytes } from 'viem';
import { MsgExecSchema } from '../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgConvertERC20Schema, MsgRegisterERC20Schema } from '../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { logWithoutStack } from '../../../src/cli/compare/differences.js';
import { VoteOption } from '../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { anyOf } from '../../support/sign-tx.js';
import { type Call, deploying, GENESIS, NAME, SENDER, Signer, type Step } from './signer.js';

const GOV = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';
const SOMEBODY: Hex = '0x00000000000000000000000000000000000000aa';
const SOMEBODY_NAME = bech32.encode('cosmos', bech32.toWords(hexToBytes(SOMEBODY)));

/** CALL or STATICCALL of `to` with all gas and no value or input. */
const calling = (to: Hex, gas = '5a'): string => `5f5f5f5f5f73${to.slice(2)}${gas}f1`;
const asking = (to: Hex): string => `5f5f5f5f73${to.slice(2)}5afa`;

/**
 * A token of 32 decimals that answers every call with the same text. A call without input switches it; then it
 * executes BLOBBASEFEE.
 */
const TOKEN = '36156023575f54602957602060005260036020526241424360e81b60405260606000f35b60015f55005b4a00';

export interface Played {
  /** The last block starts a vote, which ends after nine seconds. */
  readonly blocks: readonly (readonly Step[])[];
  /** A contract that is the instruction alone, and one that stores, calls that one's like, and stores again. */
  readonly bare: Hex;
  readonly caller: Hex;
  /** The contract whose slot 0 is the balance of somebody to whom a failed transaction sent coins. */
  readonly balance: Hex;
  /** Raw transactions for the next block: one that executes the instruction, and a later one that does not. */
  readonly next: readonly Hex[];
  /** The first of them as a Cosmos transaction. */
  readonly unsent: Uint8Array;
}

export async function blocksOfBlobBaseFee(accountNumber: bigint): Promise<Played> {
  const { chain_id: chainId } = JSON.parse(GENESIS.toString()) as { readonly chain_id: string };
  const signer = new Signer(chainId);
  const deployments: Step[] = [];
  const deployed = async (runtime: string): Promise<Hex> => {
    const at = signer.made();
    deployments.push(await signer.ethereum('deployment', { data: deploying(runtime) }));
    return at;
  };
  const storing = await deployed('60075f554a600155');
  const caller = await deployed(`6001600155${calling(storing)}50600260025500`);
  const bare = await deployed('4a00');
  const asker = await deployed(`6001600155${asking(bare)}50600260025500`);
  const reverting = await deployed(`${calling(bare)}505f5ffd`);
  const full = await deployed(`${'5f'.repeat(1024)}4a00`);
  const token = await deployed(TOKEN);
  const thrifty = await deployed(`${calling(bare, '6001')}15600155600260025500`);
  const peeking = await deployed(`73${SOMEBODY.slice(2)}31504a00`);
  const balance = await deployed(`73${SOMEBODY.slice(2)}315f5500`);
  const creating = await deployed('604a5f5360015f5ff060015500');
  const transfer = (value: bigint) => signer.ethereum('transfer', { to: SOMEBODY, value, gas: 21_000n });

  const straight = [
    await signer.ethereum('straight', { to: storing }),
    await transfer(5n),
    await signer.ethereum('in a call whose result nobody reads', { to: caller }),
    await signer.ethereum('in a static call', { to: asker }),
    await signer.ethereum('in a constructor', { data: '0x60075f554a' }),
    await signer.ethereum('in the constructor of a contract', { to: creating }),
    await signer.ethereum('without gas for it', { to: bare, gas: 21_001n }),
    await signer.ethereum('with gas for it alone', { to: bare, gas: 21_002n }),
    await signer.ethereum('in a call of a frame that reverts', { to: reverting }),
    await signer.ethereum('on a full stack', { to: full }),
    await signer.ethereum('in a call without gas for it', { to: thrifty }),
    await transfer(6n),
    await signer.ethereum('with wei', { to: bare, value: 6n }),
  ];
  const register = (...erc20addresses: readonly Hex[]): Any =>
    anyOf(MsgRegisterERC20Schema, { signer: NAME, erc20addresses: [...erc20addresses] });
  const send = anyOf(MsgSendSchema, {
    fromAddress: NAME,
    toAddress: SOMEBODY_NAME,
    amount: [{ denom: 'aoak', amount: '1000000' }],
  });
  const convert = anyOf(MsgConvertERC20Schema, { contractAddress: token, amount: '5', receiver: NAME, sender: SENDER });
  const cosmos = (name: string, ...messages: readonly Any[]): Step => signer.cosmos(name, messages, accountNumber);
  const registered = [
    cosmos('the name of a token', register(bare)),
    cosmos('a token', register(token)),
    await signer.ethereum('turn', { to: token }),
    cosmos('the balance of a token', convert),
    cosmos('an execution of a conversion', anyOf(MsgExecSchema, { grantee: NAME, msgs: [convert] })),
    await transfer(7n),
  ];
  const read = [
    cosmos('after a message that moved coins', send, register(peeking)),
    await signer.ethereum('balance', { to: balance }),
  ];
  const proposed = [
    cosmos(
      'a proposal that registers a token',
      anyOf(MsgSubmitProposalSchema, {
        messages: [anyOf(MsgRegisterERC20Schema, { signer: GOV, erc20addresses: [bare] })],
        initialDeposit: [{ denom: 'aoak', amount: '5000000' }],
        proposer: NAME,
        title: 'title',
        summary: 'summary',
      }),
    ),
    cosmos('a vote for it', anyOf(MsgVoteSchema, { proposalId: 1n, voter: NAME, option: VoteOption.YES })),
  ];
  return {
    blocks: [deployments, straight, registered, read, proposed],
    bare,
    caller,
    balance,
    next: [await signer.raw({ to: bare }), await signer.raw({ to: SOMEBODY }, 1)],
    unsent: (await signer.ethereum('unsent', { to: bare })).tx,
  };
}

/** Transactions of the same sender, in order, from a nonce on. */
export async function callsOf(calls: readonly Call[], nonce = 1): Promise<readonly Uint8Array[]> {
  const signer = new Signer('', nonce);
  const txs: Uint8Array[] = [];
  for (const call of calls) txs.push((await signer.ethereum('', call)).tx);
  return txs;
}

interface Result {
  readonly code: number;
  readonly codespace: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly log: string;
  readonly events: readonly {
    readonly type: string;
    readonly attributes: readonly { readonly key: string; readonly value: string }[];
  }[];
}

/** Code, gas wanted and used, the log without Go's stack, the place among Ethereum transactions, and why it failed. */
export function shownResult({ code, codespace, gasWanted, gasUsed, log, events }: Result): string {
  const told = (key: string): string =>
    events
      .filter(({ type }) => type === 'ethereum_tx')
      .flatMap(({ attributes }) => attributes)
      .findLast((attribute) => attribute.key === key)?.value ?? '-';
  const parts = [told('txIndex'), told('ethereumTxFailed'), logWithoutStack(log)];
  return `${codespace} ${code}, ${gasUsed} of ${gasWanted}, ${parts.join(', ')}`;
}
