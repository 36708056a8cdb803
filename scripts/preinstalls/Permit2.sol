// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// Token allowances with an end, and transfers by signature (EIP-712, ERC-1271, EIP-2098): functions, events, errors and
/// signed types that clients know as Permit2. Written anew for development chains; it has no constructor, because a
/// genesis holds only its code.
contract Permit2 {
    struct PackedAllowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }

    struct PermitBatch {
        PermitDetails[] details;
        address spender;
        uint256 sigDeadline;
    }

    struct AllowanceTransferDetails {
        address from;
        address to;
        uint160 amount;
        address token;
    }

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );
    event Lockdown(address indexed owner, address token, address spender);
    event NonceInvalidation(
        address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce
    );
    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error ExcessiveInvalidation();
    error InvalidAmount(uint256 maxAmount);
    error LengthMismatch();
    error SignatureExpired(uint256 signatureDeadline);
    error InvalidNonce();
    error InvalidSignatureLength();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant DETAILS_TYPE =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant SINGLE_TYPE = keccak256(
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );
    bytes32 private constant BATCH_TYPE = keccak256(
        "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );
    bytes32 private constant PERMISSIONS_TYPE = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant TRANSFER_TYPE = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 private constant BATCH_TRANSFER_TYPE = keccak256(
        "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    string private constant WITNESS_STUB =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";
    string private constant BATCH_WITNESS_STUB =
        "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,";

    /// By owner, token and spender.
    mapping(address => mapping(address => mapping(address => PackedAllowance))) public allowance;
    /// By owner and word: one bit for each nonce of a signed transfer that was used.
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPE, keccak256("Permit2"), block.chainid, address(this)));
    }

    // Allowances.

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        allowed.amount = amount;
        allowed.expiration = ending(expiration);
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function permit(address owner, PermitSingle calldata single, bytes calldata signature) external {
        if (block.timestamp > single.sigDeadline) revert SignatureExpired(single.sigDeadline);
        bytes32 hash = keccak256(
            abi.encode(SINGLE_TYPE, keccak256(abi.encode(DETAILS_TYPE, single.details)), single.spender, single.sigDeadline)
        );
        verify(signature, hash, owner);
        applyPermit(single.details, owner, single.spender);
    }

    function permit(address owner, PermitBatch calldata batch, bytes calldata signature) external {
        if (block.timestamp > batch.sigDeadline) revert SignatureExpired(batch.sigDeadline);
        bytes32[] memory hashes = new bytes32[](batch.details.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(DETAILS_TYPE, batch.details[i]));
        }
        bytes32 hash = keccak256(
            abi.encode(BATCH_TYPE, keccak256(abi.encodePacked(hashes)), batch.spender, batch.sigDeadline)
        );
        verify(signature, hash, owner);
        for (uint256 i = 0; i < batch.details.length; ++i) {
            applyPermit(batch.details[i], owner, batch.spender);
        }
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        spend(from, to, amount, token);
    }

    function transferFrom(AllowanceTransferDetails[] calldata transfers) external {
        for (uint256 i = 0; i < transfers.length; ++i) {
            spend(transfers[i].from, transfers[i].to, transfers[i].amount, transfers[i].token);
        }
    }

    function lockdown(TokenSpenderPair[] calldata approvals) external {
        for (uint256 i = 0; i < approvals.length; ++i) {
            allowance[msg.sender][approvals[i].token][approvals[i].spender].amount = 0;
            emit Lockdown(msg.sender, approvals[i].token, approvals[i].spender);
        }
    }

    function invalidateNonces(address token, address spender, uint48 newNonce) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        uint48 oldNonce = allowed.nonce;
        if (newNonce <= oldNonce) revert InvalidNonce();
        if (newNonce - oldNonce > type(uint16).max) revert ExcessiveInvalidation();
        allowed.nonce = newNonce;
        emit NonceInvalidation(msg.sender, token, spender, newNonce, oldNonce);
    }

    // Transfers by signature.

    function permitTransferFrom(
        PermitTransferFrom calldata permitted,
        SignatureTransferDetails calldata transfer,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(TRANSFER_TYPE, hashOf(permitted.permitted), msg.sender, permitted.nonce, permitted.deadline)
        );
        signedTransfer(permitted, transfer, owner, hash, signature);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permitted,
        SignatureTransferDetails calldata transfer,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(
                keccak256(abi.encodePacked(WITNESS_STUB, witnessTypeString)),
                hashOf(permitted.permitted),
                msg.sender,
                permitted.nonce,
                permitted.deadline,
                witness
            )
        );
        signedTransfer(permitted, transfer, owner, hash, signature);
    }

    function permitTransferFrom(
        PermitBatchTransferFrom calldata permitted,
        SignatureTransferDetails[] calldata transfers,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(BATCH_TRANSFER_TYPE, hashOf(permitted.permitted), msg.sender, permitted.nonce, permitted.deadline)
        );
        signedTransfers(permitted, transfers, owner, hash, signature);
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permitted,
        SignatureTransferDetails[] calldata transfers,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(
                keccak256(abi.encodePacked(BATCH_WITNESS_STUB, witnessTypeString)),
                hashOf(permitted.permitted),
                msg.sender,
                permitted.nonce,
                permitted.deadline,
                witness
            )
        );
        signedTransfers(permitted, transfers, owner, hash, signature);
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    // What they share.

    /// An expiration of 0 ends with the block.
    function ending(uint48 expiration) private view returns (uint48) {
        return expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function applyPermit(PermitDetails calldata details, address owner, address spender) private {
        PackedAllowance storage allowed = allowance[owner][details.token][spender];
        if (allowed.nonce != details.nonce) revert InvalidNonce();
        unchecked {
            allowed.nonce = details.nonce + 1;
        }
        allowed.amount = details.amount;
        allowed.expiration = ending(details.expiration);
        emit Permit(owner, details.token, spender, details.amount, details.expiration, details.nonce);
    }

    function spend(address from, address to, uint160 amount, address token) private {
        PackedAllowance storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        uint160 left = allowed.amount;
        if (left != type(uint160).max) {
            if (amount > left) revert InsufficientAllowance(left);
            allowed.amount = left - amount;
        }
        move(token, from, to, amount);
    }

    function hashOf(TokenPermissions calldata permitted) private pure returns (bytes32) {
        return keccak256(abi.encode(PERMISSIONS_TYPE, permitted));
    }

    function hashOf(TokenPermissions[] calldata permitted) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](permitted.length);
        for (uint256 i = 0; i < permitted.length; ++i) {
            hashes[i] = hashOf(permitted[i]);
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function signedTransfer(
        PermitTransferFrom calldata permitted,
        SignatureTransferDetails calldata transfer,
        address owner,
        bytes32 hash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permitted.deadline) revert SignatureExpired(permitted.deadline);
        if (transfer.requestedAmount > permitted.permitted.amount) revert InvalidAmount(permitted.permitted.amount);
        useNonce(owner, permitted.nonce);
        verify(signature, hash, owner);
        move(permitted.permitted.token, owner, transfer.to, transfer.requestedAmount);
    }

    function signedTransfers(
        PermitBatchTransferFrom calldata permitted,
        SignatureTransferDetails[] calldata transfers,
        address owner,
        bytes32 hash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permitted.deadline) revert SignatureExpired(permitted.deadline);
        if (permitted.permitted.length != transfers.length) revert LengthMismatch();
        useNonce(owner, permitted.nonce);
        verify(signature, hash, owner);
        for (uint256 i = 0; i < transfers.length; ++i) {
            TokenPermissions calldata one = permitted.permitted[i];
            uint256 amount = transfers[i].requestedAmount;
            if (amount > one.amount) revert InvalidAmount(one.amount);
            if (amount != 0) move(one.token, owner, transfers[i].to, amount);
        }
    }

    function useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 word = nonceBitmap[owner][nonce >> 8];
        if (word & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] = word | bit;
    }

    function verify(bytes calldata signature, bytes32 hash, address signer) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), hash));
        if (signer.code.length != 0) {
            if (IERC1271(signer).isValidSignature(digest, signature) != IERC1271.isValidSignature.selector) {
                revert InvalidContractSignature();
            }
            return;
        }
        bytes32 r;
        bytes32 s;
        uint8 v;
        if (signature.length == 65) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(uint256(s) >> 255) + 27;
            s &= bytes32(uint256(type(int256).max));
        } else {
            revert InvalidSignatureLength();
        }
        address recovered = ecrecover(digest, v, r, s);
        if (recovered == address(0)) revert InvalidSignature();
        if (recovered != signer) revert InvalidSigner();
    }

    function move(address token, address from, address to, uint256 amount) private {
        (bool success, bytes memory answer) = token.call(abi.encodeCall(IERC20.transferFrom, (from, to, amount)));
        bool moved = answer.length == 0 ? token.code.length != 0 : abi.decode(answer, (bool));
        require(success && moved, "TRANSFER_FROM_FAILED");
    }
}

interface IERC1271 {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
