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
