// One model call, then the way to end that the first argument names.
import OpenAI from 'openai'

const ask = () =>
  new OpenAI().chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })

const alive = () => setInterval(() => {}, 1_000)

const ways = {
  naturally: () => {},
  'with exitCode 3': () => {
    process.exitCode = 3
  },
  'with a throw': () => {
    setImmediate(() => {
      throw new Error('the application failed')
    })
  },
  'with a rejection': () => {
    Promise.reject(new Error('the application failed'))
  },
  'without settling': () => new Promise(() => {}),
  'by signal, unhandled': alive,
  'by signal, handled': () => {
    const timer = alive()
    process.on('SIGTERM', () => clearInterval(timer))
  },
  'by signal, handler exits 0': () => {
    alive()
    process.on('SIGTERM', () => process.exit(0))
  },
  'by signal, handler makes a last call': () => {
    alive()
    process.on('SIGTERM', async () => {
      await ask()
      process.exit(7)
    })
  },
  'by signal, handler sends it again': () => {
    alive()
    process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'))
  },
  'by signal, handler exits with exitCode': () => {
    alive()
    process.on('SIGTERM', () => {
      process.exitCode = 3
      process.exit()
    })
  },
  'by signal, exit listener has the last word': () => {
    alive()
    process.on('exit', () => process.exit(7))
    process.on('SIGTERM', () => process.exit(0))
  },
  'by signal, handler exits on the second': () => {
    alive()
    let times = 0
    process.on('SIGTERM', () => (++times === 1 ? process.kill(process.pid, 'SIGTERM') : process.exit(5)))
  },
  'by signal, handler tries what is no exit code': () => {
    alive()
    process.on('SIGTERM', () => {
      try {
        process.exit('abc')
      } catch {
        process.exit(4)
      }
    })
  },
  'by signal, handled once and first in line': () => {
    const timer = alive()
    process.prependOnceListener('SIGTERM', () => setTimeout(() => clearInterval(timer), 50))
  },
  'by signal, with a call under way': () => {
    new OpenAI().chat.completions
      .create({ model: 'hang', messages: [{ role: 'user', content: 'Wait.' }] })
      .catch(() => {})
    process.on('SIGTERM', () => process.exit(0))
  },
  'naturally, after cleaning up': () => {
    let times = 0
    process.on('beforeExit', () => console.log(`cleaned up ${++times} times`))
  },
  'by signal, ignored': () => {
    alive()
    process.on('SIGTERM', () => console.log('not now'))
    process.on('SIGUSR2', () => process.exit(0))
  },
}

await ask()
const ending = ways[process.argv[2]]()
console.log('asked')
await ending
