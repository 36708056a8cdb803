// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Variables of every kind that a storage layout has.
contract Vault {
    enum State { Closed, Open, Frozen }

    struct Account {
        uint128 amount;
        uint64 since;
        bool isActive;
        string note;
    }

    struct Limits {
        uint16 most;
        address owner;
    }

    address public owner;
    bool public isOpen;
    State public state;
    int24 public tick;
    uint256 public total;
    string public title;
    string public terms;
    bytes4 public mark;
    Limits public limits;
    uint64[5] public steps;
    uint256[] public history;
    uint8[] public small;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(uint256 => Account)) public accounts;
    mapping(string => int256) public byName;

    constructor(address first) {
        owner = msg.sender;
        isOpen = true;
        state = State.Frozen;
        tick = -5;
        total = 1_000_000;
        title = "short";
        terms = "a text of more than thirty-one bytes, which lies in slots of its own";
        mark = 0xdeadbeef;
        limits = Limits(7, first);
        for (uint64 at = 0; at < 5; at++) steps[at] = at * 11;
        history.push(100);
        history.push(200);
        for (uint8 at = 0; at < 40; at++) small.push(at);
        balanceOf[first] = 42;
        accounts[first][3] = Account(9, 1700000000, true, "rent");
        byName["rent"] = -12;
    }

    function pay(address to, uint256 amount) external {
        balanceOf[msg.sender] += 1;
        balanceOf[to] += amount;
        total -= amount;
        isOpen = !isOpen;
        history.push(amount);
    }
}
