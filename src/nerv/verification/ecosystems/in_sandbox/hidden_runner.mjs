// Hide from tests, and from the code that they call, that node's own runner starts them.
import { before } from "node:test";

before(() => {}); // the runner reads its variable here, once
for (const name of ["NODE_TEST_CONTEXT", "NERV_HIDE_RUNNER"]) delete process.env[name];
