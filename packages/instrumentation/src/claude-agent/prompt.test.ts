import { expect, it } from 'vitest'
import { observePromptStream } from './prompt.ts'

async function collect(items: object): Promise<unknown[]> {
  const list: unknown[] = []
  for await (const item of items as AsyncIterable<unknown>) list.push(item)
  return list
}

const messages = [{ number: 1 }, { number: 2 }]
class Questions {
  readonly #messages = messages
  async *[Symbol.asyncIterator]() {
    yield* this.#messages
  }
}

it.each([
  [
    'a generator',
    (async function* () {
      yield* messages
    })(),
  ],
  ['an object', new Questions()],
])('each message of %s is observed and passed on unchanged', async (_, prompt) => {
  const received: unknown[] = []
  const read = await collect(observePromptStream(prompt, (message) => received.push(message)))
  expect([read[0], read[1]]).toEqual(messages)
  expect(read[0]).toBe(messages[0])
  expect(received).toEqual(messages)
})

it('a prompt iterator is notified when its reader stops', async () => {
  let left = false
  async function* questions() {
    try {
      yield* messages
    } finally {
      left = true
    }
  }
  for await (const _ of observePromptStream(questions(), () => {}) as AsyncIterable<unknown>) break
  expect(left).toBe(true)
})

it('a failing prompt iterator fails for its reader and causes no unhandled rejection', async () => {
  async function* questions() {
    yield messages[0]
    throw new RangeError('no more')
  }
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listen)
  await expect(collect(observePromptStream(questions(), () => {}))).rejects.toThrow('no more')
  await new Promise(setImmediate)
  process.off('unhandledRejection', listen)
  expect(unhandled).toEqual([])
})

it('a throwing observer does not affect the reader of a prompt', async () => {
  const fail = () => {
    throw new Error('deaf')
  }
  expect(await collect(observePromptStream(new Questions(), fail))).toEqual(messages)
})
