// What cases of several libraries do with what they get.

export async function collect(items) {
  const list = []
  for await (const item of items) list.push(item)
  return list
}

/** The error, as an application tells errors apart; undefined when there was none. */
export function errorOf(promise) {
  return promise.then(() => undefined, describe)
}

function describe(error) {
  if (!(error instanceof Error)) return error
  const { message, name, status, code, cause } = error
  const fields = { class: error.constructor.name, name, status, code, keys: Object.keys(error), message }
  return cause instanceof Error ? { ...fields, cause: describe(cause) } : fields
}

/** What one can tell of a promise, a stream or an iterator without reading it. */
export function shapeOf(value) {
  const helpers = []
  for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    helpers.push(...Object.getOwnPropertyNames(at).filter((name) => typeof at[name] === 'function'))
  }
  const made = [value.constructor?.name, String(value), value instanceof Promise]
  return [...made, Object.keys(value), [...new Set(helpers)].sort()]
}

/** Leaves a loop over `items` as soon as `enough`, with what was read. */
export async function readUntil(items, enough) {
  const list = []
  for await (const item of items) {
    list.push(item)
    if (enough(item, list)) break
  }
  return list
}

/** A loop over `items` whose body throws at the item that it is enough with: the third, for most. */
export function failReading(items, enough = (_, { length }) => length === 3) {
  return errorOf(
    readUntil(items, (...read) => {
      if (enough(...read)) throw new RangeError('the application fails')
    }),
  )
}

/** The class of the error that a stream ends with, and how much came before. How the error is worded is not the library's. */
export async function breakOf(items) {
  const list = []
  try {
    for await (const item of items) list.push(item)
  } catch (error) {
    return [error.constructor.name, list.length]
  }
  return list.length
}

/** Begins to read, and lets go of it in the middle. */
export async function dropHalfRead(items) {
  const iterator = items[Symbol.asyncIterator]()
  return [await iterator.next(), await iterator.next()]
}

/** `ask(nn)` fifty times at once, each within an observation of its own. */
export async function fiftyAtOnce(ask) {
  const { startActiveObservation } = await import('@svc/tracing')
  const numbers = Array.from({ length: 50 }, (_, index) => String(index).padStart(2, '0'))
  return Promise.all(numbers.map((number) => startActiveObservation(`request ${number}`, () => ask(number))))
}

/** A signal that aborts as soon as `fetch` was called, and that `fetch`: the request has left, and nobody answers. */
export function abortingFetch() {
  const controller = new AbortController()
  const abort = (...args) => {
    setImmediate(() => controller.abort())
    return fetch(...args)
  }
  return { signal: controller.signal, fetch: abort }
}

/** A signal, and what aborts it when the second item of a stream was read. */
export function abortable() {
  const controller = new AbortController()
  const abort = (_, { length }) => {
    if (length === 2) controller.abort()
  }
  return { signal: controller.signal, abort }
}

export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, count: { type: 'integer' } },
  required: ['city', 'count'],
  additionalProperties: false,
}

/** Reads a text as what fits the schema, as helpers for zod do. */
export function fitting(text) {
  const place = JSON.parse(text)
  if (!place.city) throw new RangeError('city: expected a text')
  return place
}

export const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
export const QUESTION = 'What is a span?'
export const WEATHER_QUESTION = 'How is the weather in Paris and Rome?'
