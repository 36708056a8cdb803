//! A mutable static for WebAssembly without threads.

use core::cell::UnsafeCell;

/// A value that only one thread uses.
pub struct Single<T>(UnsafeCell<T>);

// SAFETY: the module is built without threads, so no value is shared between threads.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Runs a closure on the value. The closure must not use the same static again. The host may call some exports
    /// while an import runs (`buffers`, `journal`, `nested_call`); these use no static that is borrowed at that time.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: there is one thread, and no nested use of the same static (see above).
        use_it(unsafe { &mut *self.0.get() })
    }
}
