// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// A plain ERC-20, as clients expect one.
contract Token {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(address owner, uint256 balance, uint256 wanted);

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "Token: allowance too low");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        if (balanceOf[from] < value) revert InsufficientBalance(from, balanceOf[from], value);
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// Work of every kind that tests ask for.
contract Worker {
    uint256 public counter;
    mapping(uint256 => uint256) public slots;

    event Numbered(uint256 indexed number, address indexed sender, bytes32 indexed tag, uint256 data);

    function increment() external {
        counter += 1;
    }

    function fill(uint256 from, uint256 count) external {
        for (uint256 i = 0; i < count; i++) slots[from + i] = i + 1;
    }

    function emitMany(uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Numbered(i, msg.sender, bytes32(i), i * 2);
    }

    function compute(uint256 rounds) external pure returns (uint256 value) {
        value = 1;
        for (uint256 i = 0; i < rounds; i++) value = (value * 6364136223846793005 + 1442695040888963407) % (2 ** 255 - 19);
    }

    function hashing(uint256 rounds) external pure returns (bytes32 value) {
        for (uint256 i = 0; i < rounds; i++) value = keccak256(abi.encodePacked(value, i));
    }

    function forEver() external pure {
        while (true) {}
    }

    function hugeMemory() external pure returns (uint256 value) {
        assembly {
            mstore(0x1ffffffff, 1)
            value := mload(0x1ffffffff)
        }
    }

    function refuse(string calldata reason) external pure {
        revert(reason);
    }

    function panic() external pure returns (uint256 value) {
        uint256[] memory empty = new uint256[](0);
        return empty[1];
    }

    function facts() external view returns (uint256 number, uint256 timestamp, uint256 chain, uint256 baseFee, uint256 gasPrice, address coinbase, bytes32 parent) {
        return (block.number, block.timestamp, block.chainid, block.basefee, tx.gasprice, block.coinbase, blockhash(block.number - 1));
    }

    function destroy(address payable heir) external {
        selfdestruct(heir);
    }

    receive() external payable {}
}
