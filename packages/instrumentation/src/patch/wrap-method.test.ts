import { context } from '@opentelemetry/api'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../test/spans.ts'
import { textPart } from '../gen-ai/parts.ts'
import { suppressCalls } from '../record/suppress.ts'
import { patchMethods } from './patch-methods.ts'
import { wrapMethods } from './wrap-method.ts'

const KEY = 'my-own-secret'

class Client {
  ask(question: string): unknown {
    if (question === 'at once') throw new RangeError(`not with ${KEY}`)
    return question === 'later'
      ? Promise.reject(new RangeError(`not with ${KEY}`))
      : Promise.resolve({ content: question })
  }
}

recordSpans()
beforeAll(() => {
  const methods = wrapMethods('scope', [
    {
      name: 'ask',
      operation: 'chat',
      appliesTo: ([question]) => question !== 'nobody',
      describeRequest: (_, [question]) => ({
        model: 'model',
        attributes: {},
        readContent: () => ({ messages: [{ role: 'user', parts: [textPart((question as string).trim())] }] }),
        secrets: () => [KEY],
      }),
      readResponse: ({ content }) => ({ messages: [{ role: 'assistant', parts: [textPart(content)] }] }),
    },
  ])
  patchMethods(Client, ['ask'], methods)
})
beforeEach(forgetSpans)

const recorded = () => finishedSpans().map(tell)

it('a wrapped method passes on calls without a model or recorded elsewhere unchanged', async () => {
  const client = new Client()
  expect(await client.ask('nobody')).toEqual({ content: 'nobody' })
  expect(await context.with(suppressCalls(context.active()), () => client.ask('why'))).toEqual({ content: 'why' })
  expect(recorded()).toEqual([])
})

it('a wrapped method records an error without the key, synchronous or not, and rethrows it', async () => {
  const error = new RangeError(`not with ${KEY}`)
  expect(() => new Client().ask('at once')).toThrow(error)
  await expect(new Client().ask('later')).rejects.toThrow(error)
  const failed = { name: 'chat model', error: 'RangeError: not with (hidden)', output: [] }
  expect(recorded()).toEqual([failed, failed])
})

it('a wrapped method records the response even if the request cannot be read', async () => {
  expect(await new Client().ask(7 as unknown as string)).toEqual({ content: 7 })
  expect(recorded()).toEqual([{ name: 'chat model', output: ['7'] }])
})
