// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Governor} from "../src/Governor.sol";
import {Token} from "../src/Token.sol";

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Deploy {
    bool public constant IS_SCRIPT = true;
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function run() external returns (Token token, Governor governor) {
        vm.startBroadcast();
        token = new Token(1000);
        token.transfer(address(0xaa), 1);
        governor = new Governor(token);
        new Token{salt: bytes32(uint256(1))}(5);
        vm.stopBroadcast();
    }
}
