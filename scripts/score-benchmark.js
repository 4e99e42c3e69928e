#!/usr/bin/env node
// Scores a run: `node scripts/score-benchmark.js DIR` starts score-benchmark.py with the same arguments.
'use strict'

const { spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const path = require('node:path')

const ownPython = path.join(__dirname, '..', '.venv', 'bin', 'python')
const script = path.join(__dirname, 'score-benchmark.py')
const words = [script, '--called-as', 'node scripts/score-benchmark.js', ...process.argv.slice(2)]
const done = spawnSync(existsSync(ownPython) ? ownPython : 'python3', words, { stdio: 'inherit' })
if (done.error) {
  console.error(`score-benchmark: Python could not be started: ${done.error.message}; run scripts/setup first`)
}
process.exit(done.status ?? 2)
