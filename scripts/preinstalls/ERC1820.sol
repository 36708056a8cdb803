// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface Implementer {
    function canImplementInterfaceForAddress(bytes32 interfaceHash, address account) external view returns (bytes32);
}

/// The registry of ERC-1820: which contract implements an interface for an account. Written anew for development chains
/// from the text of the ERC.
contract ERC1820 {
    event InterfaceImplementerSet(address indexed addr, bytes32 indexed interfaceHash, address indexed implementer);
    event ManagerChanged(address indexed addr, address indexed newManager);

    bytes32 private constant ACCEPTED = keccak256("ERC1820_ACCEPT_MAGIC");

    mapping(address account => mapping(bytes32 interfaceHash => address)) private implementers;
    mapping(address account => address) private managers;
    mapping(address account => mapping(bytes4 interfaceId => bool)) private isCached;

    /// The zero address stands for the caller.
    function getInterfaceImplementer(address account, bytes32 hash) external view returns (address) {
        address whose = account == address(0) ? msg.sender : account;
        if (!isErc165(hash)) return implementers[whose][hash];
        return implementsERC165Interface(whose, bytes4(hash)) ? whose : address(0);
    }

    /// The zero address stands for the caller. A contract other than the caller says itself whether it implements.
    function setInterfaceImplementer(address account, bytes32 hash, address implementer) external {
        address whose = account == address(0) ? msg.sender : account;
        require(getManager(whose) == msg.sender, "Not the manager");
        require(!isErc165(hash), "Must not be an ERC165 hash");
        if (implementer != address(0) && implementer != msg.sender) {
            bytes32 answer = Implementer(implementer).canImplementInterfaceForAddress(hash, whose);
            require(answer == ACCEPTED, "Does not implement the interface");
        }
        implementers[whose][hash] = implementer;
        emit InterfaceImplementerSet(whose, hash, implementer);
    }

    function setManager(address account, address newManager) external {
        require(getManager(account) == msg.sender, "Not the manager");
        managers[account] = newManager == account ? address(0) : newManager;
        emit ManagerChanged(account, newManager);
    }

    /// An account manages itself until it names another.
    function getManager(address account) public view returns (address) {
        address manager = managers[account];
        return manager == address(0) ? account : manager;
    }

    function interfaceHash(string calldata name) external pure returns (bytes32) {
        return keccak256(bytes(name));
    }

    function updateERC165Cache(address account, bytes4 id) external {
        implementers[account][id] = implementsERC165InterfaceNoCache(account, id) ? account : address(0);
        isCached[account][id] = true;
    }

    function implementsERC165Interface(address account, bytes4 id) public view returns (bool) {
        if (!isCached[account][id]) return implementsERC165InterfaceNoCache(account, id);
        return implementers[account][id] == account;
    }

    function implementsERC165InterfaceNoCache(address account, bytes4 id) public view returns (bool) {
        return answerOf(account, 0x01ffc9a7) == 1 && answerOf(account, 0xffffffff) == 0 && answerOf(account, id) == 1;
    }

    function isErc165(bytes32 hash) private pure returns (bool) {
        return uint256(hash) << 32 == 0;
    }

    /// The word that `supportsInterface` answers within 30,000 gas; 2 where the call fails.
    function answerOf(address account, bytes4 id) private view returns (uint256 word) {
        bytes memory input = abi.encodeWithSelector(0x01ffc9a7, id);
        assembly {
            let success := staticcall(30000, account, add(input, 32), mload(input), 0, 32)
            word := 2
            if and(success, gt(returndatasize(), 31)) { word := mload(0) }
        }
    }
}
