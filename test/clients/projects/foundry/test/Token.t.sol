// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token} from "../src/Token.sol";

interface Vm {
    function envAddress(string calldata name) external returns (address);
    function expectRevert(bytes calldata data) external;
    function prank(address sender) external;
}

/// Runs on a fork of the node: the token is the one that the script deployed.
contract TokenTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant OWNER = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    Token private token;

    function setUp() public {
        token = Token(vm.envAddress("TOKEN"));
    }

    function testTheForkIsTheChain() public view {
        require(block.chainid == 271828, "chain id");
        require(token.totalSupply() == 1000, "supply");
    }

    function testStateOfAccounts() public view {
        require(token.balanceOf(address(0xaa)) == 1, "what the script sent");
        require(OWNER.balance > 0, "coins");
    }

    function testPrank() public {
        vm.prank(OWNER);
        token.transfer(address(0xbb), 10);
        require(token.balanceOf(OWNER) == 989, "moved");
    }

    function testRevert() public {
        vm.expectRevert(abi.encodeWithSelector(Token.InsufficientBalance.selector, address(this), 0, 5));
        token.transfer(address(0xbb), 5);
    }
}
