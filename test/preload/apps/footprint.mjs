// A model call, and what of this process another module could notice afterwards.
import './chat.mjs'

const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`)
const symbols = Object.getOwnPropertySymbols(globalThis).map(String)
const resources = process.getActiveResourcesInfo().filter((name) => name !== 'TCPSocketWrap')
const seen = { names: Object.getOwnPropertyNames(globalThis), symbols, listeners, resources }
console.log(JSON.stringify(seen))
