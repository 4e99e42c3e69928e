pub fn other() {}
