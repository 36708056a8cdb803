// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A proxy with its implementation and its admin in the slots of ERC-1967.
contract Proxy {
    bytes32 private constant IMPLEMENTATION = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    event Upgraded(address indexed implementation);

    error NotAdmin(address caller);
    error NoCode(address implementation);

    constructor(address implementation, bytes memory initialisation) payable {
        store(ADMIN, msg.sender);
        set(implementation, initialisation);
    }

    function upgradeToAndCall(address implementation, bytes calldata initialisation) external payable {
        if (msg.sender != load(ADMIN)) revert NotAdmin(msg.sender);
        set(implementation, initialisation);
    }

    fallback() external payable {
        address implementation = load(IMPLEMENTATION);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    receive() external payable {}

    function set(address implementation, bytes memory initialisation) private {
        if (implementation.code.length == 0) revert NoCode(implementation);
        store(IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
        if (initialisation.length == 0) return;
        (bool success, bytes memory answer) = implementation.delegatecall(initialisation);
        if (!success) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }

    function load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }
}

contract CounterV1 {
    uint256 public count;
    bool private initialised;

    error AlreadyInitialised();

    function initialise(uint256 start) external {
        if (initialised) revert AlreadyInitialised();
        initialised = true;
        count = start;
    }

    function increment() external {
        count += 1;
    }
}

contract CounterV2 {
    uint256 public count;
    bool private initialised;

    function increment() external {
        count += 10;
    }

    function version() external pure returns (string memory) {
        return "2";
    }
}
