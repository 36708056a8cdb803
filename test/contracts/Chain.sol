// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// Contracts that use the contracts of the chain, and tokens that do wrong.

/// Makes the calls that it is told to make, and passes over those that fail.
contract Player {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    function play(Call[] calldata calls, bool undone) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, ) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            done;
        }
        require(!undone, "undone");
    }
}

interface Staking {
    struct Coin {
        string denom;
        uint256 amount;
    }

    function delegate(address delegator, string memory validator, uint256 amount) external returns (bool);
    function delegation(address delegator, string memory validator) external view returns (uint256 shares, Coin memory balance);
}

interface Governance {
    function vote(address voter, uint64 proposal, uint8 option, string memory metadata) external returns (bool);
}

/// Stakes and votes with what it holds, through the contracts of the chain.
contract Staker {
    Staking private constant STAKING = Staking(0x0000000000000000000000000000000000000800);
    Governance private constant GOVERNANCE = Governance(0x0000000000000000000000000000000000000805);

    event Staked(address indexed by, uint256 amount);
    event Given(uint256 amount);

    receive() external payable {}

    function stake(string calldata validator, uint256 amount) external payable {
        require(STAKING.delegate(address(this), validator, amount), "not staked");
        emit Staked(msg.sender, amount);
    }

    function stakeAndRevert(string calldata validator, uint256 amount) external payable {
        this.stake(validator, amount);
        revert("taken back");
    }

    /// The inner call reverts; what this one does stays.
    function tryToStake(string calldata validator, uint256 amount) external payable {
        try this.stakeAndRevert(validator, amount) {} catch {}
        emit Given(msg.value);
    }

    function vote(uint64 proposal, uint8 option) external {
        require(GOVERNANCE.vote(address(this), proposal, option, ""), "not voted");
    }

    function staked(string calldata validator) external view returns (uint256) {
        (, Staking.Coin memory balance) = STAKING.delegation(address(this), validator);
        return balance.amount;
    }
}

interface Coins {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Tells of moves of tokens that are not its own.
contract Echo {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function tell(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }
}

/// A token that does wrong in the way that it is told to.
contract Liar {
    enum Way {
        Honest,
        Silent,
        SilentWithoutEvent,
        TwoEvents,
        EventOfAnother,
        EventAlone,
        Fee,
        Bomb,
        HalfWord,
        Two,
        Refuses,
        Spends,
        Destroys,
        Approves,
        Wide,
        Nameless,
        Long
    }

    Way public way;
    mapping(address => uint256) private balances;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    receive() external payable {}

    function choose(Way chosen) external {
        way = chosen;
    }

    function give(address to, uint256 value) external {
        balances[to] += value;
    }

    function balanceOf(address account) external view returns (uint256) {
        return balances[account];
    }

    function name() external view returns (string memory) {
        if (way == Way.Nameless) answer(0, 0);
        if (way == Way.Long) return string(new bytes(300));
        return "Liar";
    }

    function symbol() external pure returns (string memory) {
        return "LIE";
    }

    function decimals() external view returns (uint256) {
        return way == Way.Wide ? 256 : 6;
    }

    function transfer(address to, uint256 value) external {
        Way chosen = way;
        if (chosen == Way.Refuses) revert("refused");
        uint256 moved = chosen == Way.EventAlone ? 0 : chosen == Way.Fee ? value - 1 : value;
        balances[msg.sender] -= moved;
        balances[to] += moved;
        if (chosen == Way.EventOfAnother) new Echo().tell(msg.sender, to, value);
        else if (chosen != Way.SilentWithoutEvent) emit Transfer(msg.sender, to, value);
        if (chosen == Way.TwoEvents) emit Transfer(msg.sender, to, value);
        if (chosen == Way.Approves) emit Approval(msg.sender, to, value);
        // to the coin of the chain as a token
        if (chosen == Way.Spends) Coins(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE).transfer(to, 7);
        if (chosen == Way.Destroys) selfdestruct(payable(to));
        if (chosen == Way.Bomb) answer(0, 300000);
        if (chosen == Way.HalfWord) answer(1, 16);
        if (chosen == Way.Two) answer(2, 32);
        if (chosen == Way.Honest || chosen == Way.Fee || chosen == Way.Spends || chosen == Way.Approves) answer(1, 32);
        answer(0, 0);
    }

    function answer(uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}
