// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token} from "./Token.sol";

/// Proposals that holders of a token vote on by block, and that wait for a time before they are executed.
contract Governor {
    enum State {
        Pending,
        Active,
        Defeated,
        Succeeded,
        Queued,
        Executed
    }

    struct Proposal {
        uint256 snapshot;
        uint256 deadline;
        uint256 readyAt;
        uint256 forVotes;
        uint256 againstVotes;
        bool executed;
    }

    uint256 public constant VOTING_DELAY = 2;
    uint256 public constant VOTING_PERIOD = 10;
    uint256 public constant TIMELOCK = 1 days;

    Token public immutable token;
    mapping(uint256 => Proposal) public proposals;
    mapping(uint256 => mapping(address => bool)) public hasVoted;

    event ProposalCreated(uint256 indexed id, address proposer, address target, bytes data, string description);
    event VoteCast(address indexed voter, uint256 indexed id, bool support, uint256 weight);
    event ProposalExecuted(uint256 indexed id);

    error UnexpectedState(uint256 id, State current);
    error AlreadyVoted(address voter);
    error NotReady(uint256 readyAt);

    constructor(Token token_) {
        token = token_;
    }

    receive() external payable {}

    function propose(address target, bytes calldata data, string calldata description) external returns (uint256 id) {
        id = hashProposal(target, data, description);
        proposals[id].snapshot = block.number + VOTING_DELAY;
        proposals[id].deadline = block.number + VOTING_DELAY + VOTING_PERIOD;
        emit ProposalCreated(id, msg.sender, target, data, description);
    }

    function castVote(uint256 id, bool support) external {
        requireState(id, State.Active);
        if (hasVoted[id][msg.sender]) revert AlreadyVoted(msg.sender);
        hasVoted[id][msg.sender] = true;
        uint256 weight = token.getPastVotes(msg.sender, proposals[id].snapshot);
        if (support) proposals[id].forVotes += weight;
        else proposals[id].againstVotes += weight;
        emit VoteCast(msg.sender, id, support, weight);
    }

    function queue(uint256 id) external {
        requireState(id, State.Succeeded);
        proposals[id].readyAt = block.timestamp + TIMELOCK;
    }

    function execute(address target, bytes calldata data, string calldata description) external {
        uint256 id = hashProposal(target, data, description);
        requireState(id, State.Queued);
        if (block.timestamp < proposals[id].readyAt) revert NotReady(proposals[id].readyAt);
        proposals[id].executed = true;
        (bool success, bytes memory answer) = target.call(data);
        if (!success) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        emit ProposalExecuted(id);
    }

    function hashProposal(address target, bytes calldata data, string calldata description)
        public
        pure
        returns (uint256)
    {
        return uint256(keccak256(abi.encode(target, data, description)));
    }

    function state(uint256 id) public view returns (State) {
        Proposal storage one = proposals[id];
        if (one.executed) return State.Executed;
        if (block.number <= one.snapshot) return State.Pending;
        if (block.number <= one.deadline) return State.Active;
        if (one.forVotes <= one.againstVotes) return State.Defeated;
        return one.readyAt == 0 ? State.Succeeded : State.Queued;
    }

    function requireState(uint256 id, State wanted) private view {
        State current = state(id);
        if (current != wanted) revert UnexpectedState(id, current);
    }
}
