// Holds something for the server at SERVER (without one it is the same program without us), and ends in the way that the
// first argument names. Those that end by a signal say `ready` and wait for it.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter } from 'node:path'
import { Worker } from 'node:worker_threads'
import { flushExitHandlers } from '@svc/core/exit'
import { deliverTo } from './deliver.mjs'

const { SERVER, OPTIONS = '{}', SIGNAL_EXIT = '' } = process.env
const hold = deliverTo(SERVER, JSON.parse(OPTIONS))
const write = (line) => writeSync(1, `${line}\n`)
const stayAlive = () => setInterval(() => {}, 1_000)
const fail = () => {
  throw new Error('the application failed')
}

// `hold('first')` is where we begin to listen: what a way does before and after is done before and after us.
const ways = {
  naturally: () => hold('first'),
  'with exitCode 3': () => {
    hold('first')
    process.exitCode = 3
  },
  'without settling': () => {
    hold('first')
    return new Promise(() => {})
  },
  'with a listener of beforeExit': () => {
    hold('first')
    let times = 0
    process.on('beforeExit', () => write(`cleaned up ${++times} times`))
  },
  'with a listener of beforeExit that holds more and goes on': () => {
    hold('first')
    let times = 0
    process.on('beforeExit', () => {
      if (++times === 1) setImmediate(hold, 'more')
    })
  },
  'with process.exit(3)': () => {
    hold('first')
    process.exit(3)
  },
  'with a throw': () => {
    hold('first')
    setImmediate(fail)
  },
  'with a rejection': () => {
    hold('first')
    setImmediate(async () => fail())
  },
  'with a throw that the application handles': () => {
    hold('first')
    process.on('uncaughtException', () => process.exit(4))
    setImmediate(fail)
  },
  'with exit listeners that exit with 7': () => {
    process.on('exit', () => process.exit(7))
    hold('first')
    process.on('exit', () => process.exit(8))
    setImmediate(() => process.exit(3))
  },
  'with an exit listener that is put first and exits with 7': () => {
    hold('first')
    process.prependListener('exit', () => process.exit(7))
    setImmediate(() => process.exit(3))
  },
  'naturally, with exit listeners that hold more': () => holdMoreAtExit(),
  'with process.exit(3) and exit listeners that hold more': () => {
    holdMoreAtExit()
    setImmediate(() => process.exit(3))
  },
  'with process.exit(3) in the tick in which an exit listener was added that holds more': () => {
    hold('first')
    process.on('exit', () => hold('more'))
    process.exit(3)
  },
  'with a throw and exit listeners that hold more': () => {
    holdMoreAtExit()
    setImmediate(fail)
  },
  'naturally, after signals that were emitted': () => {
    hold('first')
    process.emit('SIGTERM')
    process.emit('SIGTERM', 'SIGTERM')
    setImmediate(write, 'still here')
  },
  'by a signal': () => {
    hold('first')
    stayAlive()
  },
  'by a signal, with nine things to deliver': () => {
    for (let at = 1; at <= 9; at++) hold(at)
    stayAlive()
  },
  'by a signal, busy and with nothing to deliver': () => {
    write('ready')
    for (;;);
  },
  'by a signal, after its listener was removed': () => {
    hold('first')
    const listener = () => write('never')
    process.on('SIGTERM', listener)
    setImmediate(() => process.off('SIGTERM', listener))
    stayAlive()
  },
  'by a signal, with a listener that exits with 5, added before': () => {
    process.on('SIGTERM', () => process.exit(5))
    hold('first')
    stayAlive()
  },
  'by a signal, with a listener that exits with 5, added after': () => {
    hold('first')
    process.on('SIGTERM', () => process.exit(5))
    stayAlive()
  },
  'by a signal, with a listener that holds more and exits later': () => {
    hold('first')
    process.on('SIGTERM', () => {
      hold('more')
      setImmediate(() => process.exit(0))
    })
    stayAlive()
  },
  'by a signal, handled once, added before': () => {
    const timer = stayAlive()
    process.once('SIGTERM', () => clearInterval(timer))
    hold('first')
  },
  'by a signal, handled once, added after': () => {
    hold('first')
    const timer = stayAlive()
    process.once('SIGTERM', () => clearInterval(timer))
  },
  'by a signal, handled once and first in line': () => {
    hold('first')
    const timer = stayAlive()
    process.prependOnceListener('SIGTERM', () => clearInterval(timer))
  },
  'by a signal, handled once and sent again': () => {
    hold('first')
    process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'))
    stayAlive()
  },
  'by a signal, handled and sent again when nothing else is left': () => {
    hold('first')
    const timer = stayAlive()
    const listener = async () => {
      await flushExitHandlers()
      clearInterval(timer)
      process.off('SIGTERM', listener)
      process.kill(process.pid, 'SIGTERM')
    }
    process.on('SIGTERM', listener)
  },
  // As the Agents SDK of OpenAI does.
  'by a signal, whose handler leaves the end to others': () => {
    const leave = () => {
      if (process.listeners('SIGTERM').length === 1) process.exit(5)
    }
    hold('first')
    process.on('SIGTERM', leave)
    stayAlive()
  },
  'by a signal, after another one that is handled': () => {
    hold('first')
    process.on('SIGINT', () => write('not now'))
    stayAlive()
  },
  // As the first process of a container ignores it.
  'by a signal, after one that the system ignored': () => {
    hold('first')
    const { kill } = process
    process.kill = () => {
      process.kill = kill
      process.on('newListener', () => setImmediate(write, 'listens again'))
      hold('more')
    }
    stayAlive()
  },
  'by a signal, signal-exit came before': () => {
    listenBySignalExit()
    hold('first')
    stayAlive()
  },
  'by a signal, signal-exit came after': () => {
    hold('first')
    listenBySignalExit()
    stayAlive()
  },
  'by a signal, with signal-exit and a listener that exits with 5': () => {
    hold('first')
    listenBySignalExit()
    process.on('SIGTERM', () => process.exit(5))
    stayAlive()
  },
  'with process.exit(3) and signal-exit': () => {
    hold('first')
    listenBySignalExit()
    process.exit(3)
  },
  'with process.exit(3) and signal-exit that holds more': () => {
    hold('first')
    listenBySignalExit(() => hold('more'))
    setImmediate(() => process.exit(3))
  },
  'by a signal, with signal-exit that holds more': () => {
    hold('first')
    listenBySignalExit(() => hold('more'))
    stayAlive()
  },
  'after a worker that ends naturally': () => startWorker('naturally'),
  'after a worker that ends with process.exit(3)': () => startWorker('with process.exit(3)'),
  'after a worker that ends with a throw': () => startWorker('with a throw'),
}

function holdMoreAtExit() {
  process.on('exit', () => hold('more'))
  hold('first')
  process.on('exit', () => hold('even more'))
}

function listenBySignalExit(act = () => {}) {
  for (const path of SIGNAL_EXIT.split(delimiter)) {
    const loaded = createRequire(import.meta.url)(path)
    const onExit = loaded.onExit ?? loaded
    onExit((code, signal) => {
      write(`signal-exit reports ${code}, ${signal}`)
      act()
    })
  }
}

/** This same program, as a thread. */
function startWorker(way) {
  const worker = new Worker(import.meta.filename, { argv: [way] })
  worker.on('error', ({ message }) => write(`the worker failed: ${message}`))
  worker.on('exit', (code) => write(`the worker ended with ${code}`))
}

const end = ways[process.argv[2]]()
setImmediate(() => setImmediate(write, 'ready'))
await end
