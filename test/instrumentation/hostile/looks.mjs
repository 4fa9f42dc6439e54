// What a curious application can find out. Prints the same with and without the preload.
import { AsyncLocalStorage } from 'node:async_hooks'
import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import vm from 'node:vm'
import { OpenAI } from 'openai'
import { collect, errorOf } from '../harness/kit.mjs'
import { libraries } from './libraries.mjs'

const store = new AsyncLocalStorage()
const options = { baseURL: `${process.env.MODEL_URL}/v1`, apiKey: 'sk-not-to-be-seen', maxRetries: 0 }
const messages = [{ role: 'user', content: 'Hi' }]
const about = { model: 'gpt-test', messages }
const textOf = ({ choices: [{ message }] }) => message.content

/** The error with the functions that its stack names. */
async function failureOf(work) {
  const error = await work().catch((reason) => reason)
  const frames = String(error?.stack)
    .split('\n')
    .flatMap((line) => /^ +at (?:async )?([\w.]+) \(/.exec(line)?.[1] ?? [])
  return [error instanceof Error && (await errorOf(Promise.reject(error))), frames.slice(0, 4)]
}

/** What each library shows. */
const LOOKS = {
  'a refused call': ({ ask }) => failureOf(async () => await ask('error-400', 'Hi')),
  'a refused stream': ({ stream }) => failureOf(async () => await collect(await stream('error-400', 'Hi'))),
  'a stream that breaks off': ({ stream }) => failureOf(async () => await collect(await stream('cut', 'Hi'))),
  'a store of its own': async ({ ask, stream }) => {
    const [seen, own] = [[], globalThis.fetch]
    const see = () => seen.push(store.getStore())
    globalThis.fetch = (...args) => see() && own(...args)
    await store.run('mine', async () => {
      await ask('gpt-test', 'Hi').finally(see)
      for await (const _ of await stream('gpt-test', 'Hi')) see()
      await ask('error-400', 'Hi').catch(see)
      see()
    })
    globalThis.fetch = own
    return [...new Set(seen)]
  },
}

class Own extends OpenAI {
  paths = []
  post(path, ...rest) {
    this.paths.push(path)
    return super.post(path, ...rest)
  }
}

/** What applications do with a client. */
const TRICKS = {
  'a class of its own': async () => {
    const client = new Own(options)
    return [textOf(await client.chat.completions.create(about)), client.paths]
  },
  'a method of its own': async () => {
    const client = new OpenAI(options)
    const { create } = client.chat.completions
    client.chat.completions.create = (body) => create.call(client.chat.completions, { ...body, model: 'mine' })
    return (await client.chat.completions.create(about)).model
  },
  'a frozen client': async () => textOf(await Object.freeze(new OpenAI(options)).chat.completions.create(about)),
  'other options': async () =>
    textOf(await new OpenAI(options).withOptions({ timeout: 90_000 }).chat.completions.create(about)),
  'a client behind a proxy': async () =>
    textOf(await new Proxy(new OpenAI(options), {}).chat.completions.create(about)),
  'a frozen request': async () =>
    textOf(await new OpenAI(options).chat.completions.create(deepFrozen(structuredClone(about)))),
  'a request without a prototype': async () =>
    textOf(await new OpenAI(options).chat.completions.create({ __proto__: null, ...about })),
  'a request of another realm': async () => {
    const foreign = vm.runInNewContext(`(${JSON.stringify(about)})`)
    return textOf(await new OpenAI(options).chat.completions.create(foreign))
  },
  'a request that writes itself': async () => {
    const toJSON = () => ({ role: 'user', content: 'Written.' })
    return textOf(await new OpenAI(options).chat.completions.create({ model: 'gpt-test', messages: [{ toJSON }] }))
  },
  'half of a character': async () =>
    textOf(
      await new OpenAI(options).chat.completions.create({ ...about, messages: [{ role: 'user', content: '\ud83d' }] }),
    ),
  'ten thousand messages': async () => {
    const many = Array.from({ length: 10_000 }, () => messages[0])
    return textOf(await new OpenAI(options).chat.completions.create({ ...about, messages: many }))
  },
  'a signal used again and again': async () => {
    const { signal } = new AbortController()
    const client = new OpenAI(options)
    for (let times = 0; times < 20; times++) {
      await client.chat.completions.create(about, { signal })
      await collect(await client.chat.completions.create({ ...about, stream: true }, { signal }))
    }
    return getEventListeners(signal, 'abort').length
  },
  'a result that is copied': async () => {
    const answer = await new OpenAI(options).chat.completions.create(about)
    return [structuredClone(answer), inspect({ ...answer, created: 0 }), Reflect.ownKeys(answer).map(String)]
  },
  'messages that change after the call': async () => {
    const mine = structuredClone(messages)
    const promise = new OpenAI(options).chat.completions.create({ model: 'changed', messages: mine })
    setImmediate(() => mine.push({ role: 'user', content: 'Later.' }))
    return textOf(await promise)
  },
}

function deepFrozen(value) {
  for (const each of Object.values(value)) if (typeof each === 'object') deepFrozen(each)
  return Object.freeze(value)
}

const seen = {}
for (const [title, trick] of Object.entries(TRICKS))
  seen[title] = await trick().catch((error) => errorOf(Promise.reject(error)))
for (const [name, connect] of Object.entries(libraries)) {
  const library = await connect()
  for (const [title, look] of Object.entries(LOOKS)) seen[`${name}: ${title}`] = await look(library)
}
process.stdout.write(JSON.stringify(seen), () => process.kill(process.pid, 'SIGTERM'))
