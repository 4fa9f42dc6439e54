// Calls a model, and then removes or replaces a global, as tests that imitate a browser and careless polyfills do.
import OpenAI from 'openai'

const [, , name, how, end] = process.argv
const { exit, kill, pid } = process
const CHANGES = {
  unset: () => Reflect.set(globalThis, name, undefined),
  deleted: () => Reflect.deleteProperty(globalThis, name),
  empty: () => Reflect.set(globalThis, name, typeof globalThis[name] === 'function' ? () => undefined : {}),
  'a getter that throws': () =>
    Object.defineProperty(globalThis, name, {
      get() {
        throw new Error(`there is no ${name}`)
      },
    }),
  frozen: () => Object.freeze(globalThis[name].prototype),
}

const client = new OpenAI()
const ask = () => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }] })
await ask()
CHANGES[how]()
await ask()
if (end === 'exit') exit(3)
if (end === 'signal') kill(pid, 'SIGTERM')
