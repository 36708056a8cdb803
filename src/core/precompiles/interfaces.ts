/**
 * ABIs of the precompiles with names, functions and events, for tools that display calls. Events are from the
 * Solidity interfaces of cosmos/evm v0.6 (`precompiles/staking/StakingI.sol` and others).
 */
import type { Contract } from '../abi/contract.js';
import { itemOfLine } from '../abi/item.js';
import { hex } from '../bytes/hex.js';
import type { Crypto } from '../ports/crypto.js';
import type { StatefulPrecompile } from '../sdk/module/stateful-precompile.js';
import { bankContract } from './bank/contract.js';
import { bech32Contract } from './bech32/contract.js';
import { distributionContract } from './distribution/contract.js';
import { govContract } from './gov/contract.js';
import { ics20Contract } from './ics20/contract.js';
import { slashingContract } from './slashing/contract.js';
import { stakingContract } from './staking/contract.js';

const DELEGATOR = 'address indexed delegatorAddress';
const VALIDATOR = 'address indexed validatorAddress';
const COINS = '(string denom,uint256 amount)[]';

const NAMED: readonly (readonly [string, StatefulPrecompile, readonly string[]])[] = [
  ['Bech32', bech32Contract, []],
  [
    'Staking',
    stakingContract,
    [
      `CreateValidator(${VALIDATOR},uint256 value)`,
      `EditValidator(${VALIDATOR},int256 commissionRate,int256 minSelfDelegation)`,
      `Delegate(${DELEGATOR},${VALIDATOR},uint256 amount,uint256 newShares)`,
      `Unbond(${DELEGATOR},${VALIDATOR},uint256 amount,uint256 completionTime)`,
      `Redelegate(${DELEGATOR},address indexed validatorSrcAddress,address indexed validatorDstAddress,uint256 amount,uint256 completionTime)`,
      `CancelUnbondingDelegation(${DELEGATOR},${VALIDATOR},uint256 amount,uint256 creationHeight)`,
    ],
  ],
  [
    'Distribution',
    distributionContract,
    [
      `ClaimRewards(${DELEGATOR},uint256 amount)`,
      'SetWithdrawerAddress(address indexed caller,string withdrawerAddress)',
      `WithdrawDelegatorReward(${DELEGATOR},${VALIDATOR},uint256 amount)`,
      'WithdrawValidatorCommission(string indexed validatorAddress,uint256 commission)',
      'FundCommunityPool(address indexed depositor,string denom,uint256 amount)',
      `DepositValidatorRewardsPool(address indexed depositor,${VALIDATOR},string denom,uint256 amount)`,
    ],
  ],
  [
    'ICS20',
    ics20Contract,
    [
      'IBCTransfer(address indexed sender,string indexed receiver,string sourcePort,string sourceChannel,string denom,uint256 amount,string memo)',
    ],
  ],
  ['Bank', bankContract, []],
  [
    'Gov',
    govContract,
    [
      'SubmitProposal(address indexed proposer,uint64 proposalId)',
      'CancelProposal(address indexed proposer,uint64 proposalId)',
      `Deposit(address indexed depositor,uint64 proposalId,${COINS} amount)`,
      'Vote(address indexed voter,uint64 proposalId,uint8 option)',
      'VoteWeighted(address indexed voter,uint64 proposalId,(uint8 option,string weight)[] options)',
    ],
  ],
  ['Slashing', slashingContract, ['ValidatorUnjailed(address indexed validator)']],
];

/** ABIs of the precompiles by address (40 lower-case hex digits). */
export function chainContracts(crypto: Pick<Crypto, 'keccak256'>): ReadonlyMap<string, Contract> {
  return new Map(
    NAMED.map(([name, { address, functions }, events]) => [
      hex(address),
      {
        name,
        items: [
          ...functions.map(({ signature, outputs }) =>
            itemOfLine(crypto, 'function', `${signature} returns (${outputs})`),
          ),
          ...events.map((line) => itemOfLine(crypto, 'event', line)),
        ],
        creation: undefined,
        deployed: undefined,
      },
    ]),
  );
}
