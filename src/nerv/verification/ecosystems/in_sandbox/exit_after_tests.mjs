// End a test file's process a moment after its last test, though a failed test has left a server or a timer behind.
import { after } from "node:test";

after(() => setTimeout(() => process.exit(), 2000).unref());
