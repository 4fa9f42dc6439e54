// A model call, a request that is answered, and what of this process another module could notice of us at its end.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { createRequire } from 'node:module'
import OpenAI from 'openai'

const require = createRequire(import.meta.url)
const order = []

/** The modules of Node that are looked at, by the members that instrumentations patch. */
const MODULES = [
  'async_hooks',
  'child_process',
  'diagnostics_channel',
  'dns',
  'events',
  'fs',
  'http',
  'http2',
  'https',
].concat(['module', 'net', 'perf_hooks', 'stream', 'timers', 'tls', 'url', 'worker_threads', 'zlib'])

/** Notes each event of an emitter; those of different emitters may come in any order. */
function note(who, emitter, events) {
  for (const event of events) emitter.on(event, () => order.push(`${who} ${event}`))
}

note('process', process, ['beforeExit', 'exit'])
const { chat } = new OpenAI()
const call = chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })
call.then(() => order.push('call answered'))
order.push('call made')
console.log(`answer: ${(await call).choices[0].message.content}`)
order.push('call awaited')

const server = http.createServer((request, response) => {
  note('asked', request.resume(), ['end', 'close'])
  note('answer', response, ['pipe', 'prefinish', 'finish', 'close'])
  process.nextTick(() => order.push('asked tick'))
  response.end('hello')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const request = http.get({ port: server.address().port, agent: false })
note('asking', request, ['socket', 'finish', 'response', 'close'])
const [response] = await once(request, 'response')
note('answered', response.resume(), ['end', 'close'])
await once(server.close(), 'close')

process.on('exit', () => {
  const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`)
  const resources = process.getActiveResourcesInfo().filter((name) => !/^(TCPSocket|Pipe|TTY)Wrap$/.test(name))
  const byEmitter = Object.groupBy(order, (event) => event.split(' ')[0])
  const orders = Object.values(byEmitter).map((events) => events.join(', '))
  console.log(JSON.stringify({ listeners, resources, orders }))
})
// Not at the end, when only little can be printed.
console.log(JSON.stringify({ members: membersOfPlatform() }))

/** Each member of the globals, of the built-in modules, and of the prototypes of both, with what its code is. */
function membersOfPlatform() {
  const members = new Map()
  const add = (name, owner) => {
    for (const key of Reflect.ownKeys(owner)) {
      const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(owner, key)
      const code = [value, get, set].map((each) => (typeof each === 'function' ? String(each) : typeof each))
      const digest = createHash('md5')
        .update(JSON.stringify([flags, code]))
        .digest('base64url')
      members.set(`${name}.${String(key)}`, `${name}.${String(key)} ${digest}`)
    }
  }
  const addAll = (name, owner) => {
    add(name, owner)
    for (const key of Object.getOwnPropertyNames(owner)) {
      const { value } = Object.getOwnPropertyDescriptor(owner, key)
      if (typeof value !== 'function') continue
      add(`${name}.${key}`, value)
      if (value.prototype) add(`${name}.${key}.prototype`, value.prototype)
    }
  }
  addAll('globalThis', globalThis)
  for (const name of MODULES) addAll(name, require(name))
  addAll('process', process)
  addAll('console', console)
  addAll('Reflect', Reflect)
  add('require.extensions', require.extensions)
  return [...members.values()]
}
