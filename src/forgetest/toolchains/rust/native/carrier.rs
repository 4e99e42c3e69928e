//! The one copy of std that the launcher and every sample's object share, so that a panic in a sample's test is an
//! ordinary panic to the launcher. The trusted tests refer to std through this crate, under a name that the sample
//! cannot know. It is built here because not every toolchain ships std as a shared library.

pub extern crate alloc;
pub extern crate core;
pub extern crate std;
