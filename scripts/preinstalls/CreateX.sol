// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

struct Values {
    uint256 constructorAmount;
    uint256 initCallAmount;
}

/// The factory CreateX: contracts by CREATE, CREATE2 and CREATE3, at addresses that can be computed before. Written anew
/// for development chains from the README and the interface of CreateX.
contract CreateX {
    event ContractCreation(address indexed newContract, bytes32 indexed salt);
    event ContractCreation(address indexed newContract);
    event Create3ProxyContractCreation(address indexed newContract, bytes32 indexed salt);

    error FailedContractCreation(address emitter);
    error FailedContractInitialisation(address emitter, bytes revertData);
    error InvalidSalt(address emitter);
    error InvalidNonceValue(address emitter);
    error FailedEtherTransfer(address emitter, bytes revertData);

    /// Creation code of the proxies of CREATE3: each creates what it is called with, by CREATE with nonce 1.
    bytes private constant PROXY = hex"67363d3d37363d34f03d5260086018f3";

    // CREATE

    function deployCreate(bytes memory initCode) public payable returns (address) {
        return create(initCode, msg.value);
    }

    function deployCreateAndInit(bytes memory initCode, bytes memory data, Values memory values)
        public
        payable
        returns (address)
    {
        return deployCreateAndInit(initCode, data, values, msg.sender);
    }

    function deployCreateAndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        public
        payable
        returns (address newContract)
    {
        newContract = create(initCode, values.constructorAmount);
        initialise(newContract, data, values, refundAddress);
    }

    function deployCreateClone(address implementation, bytes memory data) public payable returns (address proxy) {
        proxy = create(cloneOf(implementation), 0);
        initialiseClone(proxy, implementation, data);
    }

    function computeCreateAddress(uint256 nonce) public view returns (address) {
        return computeCreateAddress(address(this), nonce);
    }

    /// The address is in the hash of the RLP list of deployer and nonce; a nonce is below 2^64 - 1 (EIP-2681).
    function computeCreateAddress(address deployer, uint256 nonce) public view returns (address) {
        if (nonce >= type(uint64).max) revert InvalidNonceValue(address(this));
        bytes memory item = abi.encodePacked(uint8(nonce == 0 ? 0x80 : nonce));
        if (nonce > 0x7f) {
            uint256 length = 1;
            while (nonce >> (8 * length) != 0) length++;
            item = abi.encodePacked(uint8(0x80 + length), bytes32(nonce << (8 * (32 - length))));
            assembly {
                mstore(item, add(length, 1))
            }
        }
        return lowest(keccak256(abi.encodePacked(uint8(0xc0 + 21 + item.length), uint8(0x94), deployer, item)));
    }

    // CREATE2

    function deployCreate2(bytes memory initCode) public payable returns (address) {
        return create2(initCode, msg.value, freshSalt());
    }

    function deployCreate2(bytes32 salt, bytes memory initCode) public payable returns (address) {
        return create2(initCode, msg.value, guarded(salt));
    }

    function deployCreate2AndInit(bytes memory initCode, bytes memory data, Values memory values)
        public
        payable
        returns (address)
    {
        return deployCreate2AndInit(freshSalt(), initCode, data, values, msg.sender);
    }

    function deployCreate2AndInit(bytes32 salt, bytes memory initCode, bytes memory data, Values memory values)
        public
        payable
        returns (address)
    {
        return deployCreate2AndInit(salt, initCode, data, values, msg.sender);
    }

    function deployCreate2AndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        public
        payable
        returns (address)
    {
        return deployCreate2AndInit(freshSalt(), initCode, data, values, refundAddress);
    }

    function deployCreate2AndInit(
        bytes32 salt,
        bytes memory initCode,
        bytes memory data,
        Values memory values,
        address refundAddress
    ) public payable returns (address newContract) {
        newContract = create2(initCode, values.constructorAmount, guarded(salt));
        initialise(newContract, data, values, refundAddress);
    }

    function deployCreate2Clone(address implementation, bytes memory data) public payable returns (address) {
        return deployCreate2Clone(freshSalt(), implementation, data);
    }

    function deployCreate2Clone(bytes32 salt, address implementation, bytes memory data)
        public
        payable
        returns (address proxy)
    {
        proxy = create2(cloneOf(implementation), 0, guarded(salt));
        initialiseClone(proxy, implementation, data);
    }

    /// The salt is a guarded one.
    function computeCreate2Address(bytes32 salt, bytes32 initCodeHash) public view returns (address) {
        return computeCreate2Address(salt, initCodeHash, address(this));
    }

    function computeCreate2Address(bytes32 salt, bytes32 initCodeHash, address deployer) public pure returns (address) {
        return lowest(keccak256(abi.encodePacked(uint8(0xff), deployer, salt, initCodeHash)));
    }

    // CREATE3

    function deployCreate3(bytes memory initCode) public payable returns (address) {
        return create3(freshSalt(), initCode, msg.value);
    }

    function deployCreate3(bytes32 salt, bytes memory initCode) public payable returns (address) {
        return create3(guarded(salt), initCode, msg.value);
    }

    function deployCreate3AndInit(bytes memory initCode, bytes memory data, Values memory values)
        public
        payable
        returns (address)
    {
        return deployCreate3AndInit(freshSalt(), initCode, data, values, msg.sender);
    }

    function deployCreate3AndInit(bytes32 salt, bytes memory initCode, bytes memory data, Values memory values)
        public
        payable
        returns (address)
    {
        return deployCreate3AndInit(salt, initCode, data, values, msg.sender);
    }

    function deployCreate3AndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        public
        payable
        returns (address)
    {
        return deployCreate3AndInit(freshSalt(), initCode, data, values, refundAddress);
    }

    function deployCreate3AndInit(
        bytes32 salt,
        bytes memory initCode,
        bytes memory data,
        Values memory values,
        address refundAddress
    ) public payable returns (address newContract) {
        newContract = create3(guarded(salt), initCode, values.constructorAmount);
        initialise(newContract, data, values, refundAddress);
    }

    /// The salt is a guarded one.
    function computeCreate3Address(bytes32 salt) public view returns (address) {
        return computeCreate3Address(salt, address(this));
    }

    function computeCreate3Address(bytes32 salt, address deployer) public pure returns (address) {
        address proxy = computeCreate2Address(salt, keccak256(PROXY), deployer);
        return lowest(keccak256(abi.encodePacked(hex"d694", proxy, hex"01")));
    }

    // What these have in common

    function create(bytes memory initCode, uint256 value) private returns (address newContract) {
        assembly {
            newContract := create(value, add(initCode, 32), mload(initCode))
        }
        requireCode(newContract);
        emit ContractCreation(newContract);
    }

    function create2(bytes memory initCode, uint256 value, bytes32 salt) private returns (address newContract) {
        newContract = plainCreate2(initCode, value, salt);
        requireCode(newContract);
        emit ContractCreation(newContract, salt);
    }

    function create3(bytes32 salt, bytes memory initCode, uint256 value) private returns (address newContract) {
        address proxy = plainCreate2(PROXY, 0, salt);
        if (proxy == address(0)) revert FailedContractCreation(address(this));
        emit Create3ProxyContractCreation(proxy, salt);
        newContract = computeCreate3Address(salt);
        (bool success,) = proxy.call{value: value}(initCode);
        if (!success) revert FailedContractCreation(address(this));
        requireCode(newContract);
        emit ContractCreation(newContract);
    }

    function plainCreate2(bytes memory initCode, uint256 value, bytes32 salt) private returns (address newContract) {
        assembly {
            newContract := create2(value, add(initCode, 32), mload(initCode), salt)
        }
    }

    function requireCode(address newContract) private view {
        if (newContract.code.length == 0) revert FailedContractCreation(address(this));
    }

    /// Calls the new contract, and refunds what is left.
    function initialise(address newContract, bytes memory data, Values memory values, address refundAddress) private {
        (bool success, bytes memory answer) = newContract.call{value: values.initCallAmount}(data);
        if (!success) revert FailedContractInitialisation(address(this), answer);
        uint256 rest = address(this).balance;
        if (rest == 0) return;
        (success, answer) = refundAddress.call{value: rest}("");
        if (!success) revert FailedEtherTransfer(address(this), answer);
    }

    function initialiseClone(address proxy, address implementation, bytes memory data) private {
        (bool success, bytes memory answer) = proxy.call{value: msg.value}(data);
        if (!success || implementation.code.length == 0) revert FailedContractInitialisation(address(this), answer);
    }

    /// Creation code of a minimal proxy (EIP-1167).
    function cloneOf(address implementation) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }

    /// A salt that begins with the caller is the caller's alone. Byte 21 of it, or of one that begins with the zero
    /// address, is 1 for an address of this chain alone, and 0 for one of every chain.
    function guarded(bytes32 salt) private view returns (bytes32) {
        address owner = address(bytes20(salt));
        uint8 flag = uint8(salt[20]);
        bool isOwn = owner == msg.sender;
        if ((isOwn || owner == address(0)) && flag > 1) revert InvalidSalt(address(this));
        if (isOwn && flag == 1) return keccak256(abi.encode(msg.sender, block.chainid, salt));
        if (isOwn) return keccak256(abi.encode(msg.sender, salt));
        if (owner == address(0) && flag == 1) return keccak256(abi.encode(block.chainid, salt));
        return salt == freshSalt() ? salt : keccak256(abi.encode(salt));
    }

    /// Another salt for each caller and block.
    function freshSalt() private view returns (bytes32) {
        unchecked {
            return keccak256(
                abi.encode(
                    blockhash(block.number - 32),
                    block.coinbase,
                    block.number,
                    block.timestamp,
                    block.prevrandao,
                    block.chainid,
                    msg.sender
                )
            );
        }
    }

    function lowest(bytes32 hash) private pure returns (address) {
        return address(uint160(uint256(hash)));
    }
}
