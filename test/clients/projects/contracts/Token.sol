// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// ERC-20 with permits (ERC-2612) and votes by block.
contract Token {
    string public constant name = "Token";
    string public constant symbol = "TOK";
    uint8 public constant decimals = 18;
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    struct Checkpoint {
        uint256 fromBlock;
        uint256 votes;
    }

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    mapping(address => Checkpoint[]) private checkpoints;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(address owner, uint256 balance, uint256 needed);
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    error InvalidReceiver(address receiver);
    error ExpiredSignature(uint256 deadline);
    error InvalidSigner(address signer, address owner);

    constructor(uint256 supply) {
        totalSupply = supply;
        move(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (to == address(0)) revert InvalidReceiver(to);
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 kind = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(kind, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (block.timestamp > deadline) revert ExpiredSignature(deadline);
        bytes32 hash = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), hash)), v, r, s);
        if (signer != owner) revert InvalidSigner(signer, owner);
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function getPastVotes(address account, uint256 blockNumber) external view returns (uint256) {
        Checkpoint[] storage all = checkpoints[account];
        for (uint256 i = all.length; i > 0; --i) {
            if (all[i - 1].fromBlock <= blockNumber) return all[i - 1].votes;
        }
        return 0;
    }

    function move(address from, address to, uint256 value) private {
        if (from != address(0)) {
            uint256 balance = balanceOf[from];
            if (balance < value) revert InsufficientBalance(from, balance, value);
            balanceOf[from] = balance - value;
            checkpoints[from].push(Checkpoint(block.number, balance - value));
        }
        balanceOf[to] += value;
        checkpoints[to].push(Checkpoint(block.number, balanceOf[to]));
        emit Transfer(from, to, value);
    }
}
