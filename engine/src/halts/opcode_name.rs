//! geth's names of opcodes (go-ethereum v1.16 `core/vm/opcodes.go`).

use revm::bytecode::opcode::{OpCode, SLOTNUM};

/// An opcode that displays as its name.
pub struct OpcodeName(pub u8);

/// Names that geth has for opcodes that no fork has activated.
fn reserved(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        0xd0 => "DATALOAD",
        0xd1 => "DATALOADN",
        0xd2 => "DATASIZE",
        0xd3 => "DATACOPY",
        0xe0 => "RJUMP",
        0xe1 => "RJUMPI",
        0xe2 => "RJUMPV",
        0xe3 => "CALLF",
        0xe4 => "RETF",
        0xe5 => "JUMPF",
        0xec => "EOFCREATE",
        0xee => "RETURNCONTRACT",
        0xf7 => "RETURNDATALOAD",
        0xf8 => "EXTCALL",
        0xf9 => "EXTDELEGATECALL",
        0xfb => "EXTSTATICCALL",
        _ => return None,
    })
}

impl core::fmt::Display for OpcodeName {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let known = OpCode::new(self.0).filter(|_| self.0 != SLOTNUM).map(|opcode| opcode.as_str());
        match known.or_else(|| reserved(self.0)) {
            Some(name) => out.write_str(name),
            None => write!(out, "opcode {:#x} not defined", self.0),
        }
    }
}
