#!/usr/bin/env node
import { run } from '../dist/cli.js'

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
