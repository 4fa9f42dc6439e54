// Scores something, then ends the way that the first argument names.
import { SvcClient } from '@svc/client'
import { startObservation } from '@svc/tracing'

const [, , way] = process.argv
const flushAt = way.endsWith('under way') ? 1 : 1_000
const client = new SvcClient({ flushAt, flushInterval: 3_600 })
const score = (name) => client.score.create({ traceId: '0123456789abcdef0123456789abcdef', name, value: 1 })
const alive = () => setInterval(() => {}, 1_000)

const ways = {
  naturally: () => {},
  'by process.exit()': () => {
    setImmediate(() => process.exit())
  },
  'with exitCode 3': () => {
    process.exitCode = 3
  },
  'with a span': () => startObservation('work').end(),
  'after a flush': async () => {
    await client.flush()
  },
  'after cleaning up': () => {
    let times = 0
    process.on('beforeExit', () => console.log(`cleaned up ${++times} times`))
  },
  'with a score of its last moment': () => {
    process.on('beforeExit', () => {
      console.log('the last moment')
      score('last')
    })
  },
  'in a listener to exit': () => {
    process.on('exit', () => {
      score('first')
      score('last')
    })
  },
  'with a batch under way': () => {},
  'with another score behind the batch under way': () => score('second'),
  'by signal, unhandled': alive,
  'by signal, handler exits 0': () => {
    alive()
    process.on('SIGTERM', () => process.exit(0))
  },
  'by signal, handler gives a last score': () => {
    alive()
    process.on('SIGTERM', () => {
      score('last')
      process.exit(7)
    })
  },
  'by signal, handler sends it again': () => {
    alive()
    process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'))
  },
  'by signal, ignored once': () => {
    alive()
    process.on('SIGTERM', () => {
      console.log('not now')
      process.on('SIGTERM', () => process.exit(5))
    })
  },
  'with a throw': () => {
    setImmediate(() => {
      throw new Error('the application failed')
    })
  },
}

if (way !== 'in a listener to exit') score('first')
const ending = ways[way]()
console.log('scored')
await ending
