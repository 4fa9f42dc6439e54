// For --require, which Node does in each thread that inherits it: says in which one it runs.
const { writeSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

writeSync(1, isMainThread ? 'preload in the main thread\n' : 'preload in a worker\n')
