import { context, trace } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { instrument as instrumentBedrock } from '../instrument.ts'

type Handler = (command: unknown) => Promise<unknown>
type Callback = (error: unknown, output?: unknown) => void

class Command {
  readonly input: unknown
  constructor(input: unknown) {
    this.input = input
  }
  /** What answers is up to each test. */
  resolveMiddleware(): Handler {
    return answering
  }
}
class ConverseCommand extends Command {}
class InvokeModelCommand extends Command {}
class ListThingsCommand extends Command {}

/** Sends as AWS's clients do. */
class Client {
  send(command: Command, callback?: Callback): unknown {
    const handler = command.resolveMiddleware()
    const outputOf = (result: unknown) => (result as { output: unknown }).output
    if (!callback) return handler(command).then(outputOf)
    handler(command).then(
      (result) => callback(null, outputOf(result)),
      (error: unknown) => callback(error),
    )
    return undefined
  }
}
class BedrockRuntimeClient extends Client {}

const message = { role: 'assistant', content: [{ text: 'Yes.' }] }
const answer = { output: { message }, stopReason: 'end_turn' }
const params = { modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Is it?' }] }] }
let answering: Handler
const output = () => finishedSpans().map(({ attributes }) => attributes[ATTRIBUTE.OBSERVATION_OUTPUT])
const SAID = '[{"role":"assistant","content":"Yes."}]'

recordSpans()
beforeAll(() => {
  instrumentBedrock({ BedrockRuntimeClient })
})
beforeEach(() => {
  answering = async () => ({ output: answer, response: { headers: {} } })
})
afterEach(forgetSpans)

describe('a Bedrock command', () => {
  it('is the same object for all middleware, and unchanged afterwards', async () => {
    const command = new ConverseCommand(params)
    const sent: unknown[] = []
    answering = async (given) => {
      sent.push(given)
      return { output: answer }
    }
    expect(await new BedrockRuntimeClient().send(command)).toBe(answer)
    expect(sent).toEqual([command])
    expect(Object.getOwnPropertyNames(command)).toEqual(['input'])
    expect(output()).toEqual([SAID])
  })

  it('is recorded each time it is sent, also concurrently', async () => {
    const command = new ConverseCommand(params)
    const client = new BedrockRuntimeClient()
    await Promise.all([client.send(command), client.send(command)])
    expect(output()).toEqual([SAID, SAID])
  })

  it('that is frozen is sent and recorded', async () => {
    expect(await new BedrockRuntimeClient().send(Object.freeze(new ConverseCommand(params)))).toBe(answer)
    new BedrockRuntimeClient().send(Object.freeze(new ConverseCommand(params)), () => {})
    expect(finishedSpans()).toHaveLength(2)
  })

  it('is not recorded if it calls no model, or belongs to another client', async () => {
    await new BedrockRuntimeClient().send(new ListThingsCommand({}))
    await new Client().send(new ConverseCommand(params))
    expect(finishedSpans()).toEqual([])
  })

  it.each([undefined, null, 7, 'text', { input: null }])('that is %j fails as without instrumentation', (command) => {
    const send = () => new BedrockRuntimeClient().send(command as unknown as Command)
    expect(send).toThrow(TypeError)
    expect(finishedSpans()).toEqual([])
  })
})

it('a Bedrock call that a wrapper sends later is recorded by its promise', async () => {
  class Patient extends BedrockRuntimeClient {}
  const { send } = Client.prototype
  Client.prototype.send = async function (...args) {
    await Promise.resolve()
    return send.apply(this, args)
  }
  try {
    expect(await new Patient().send(new ConverseCommand(params))).toBe(answer)
    expect(finishedSpans()).toHaveLength(1)
  } finally {
    Client.prototype.send = send
  }
})

it('a synchronous error of a Bedrock command is thrown and recorded', () => {
  const failure = new RangeError('no')
  const command = new ConverseCommand(params)
  command.resolveMiddleware = () => {
    throw failure
  }
  expect(() => new BedrockRuntimeClient().send(command)).toThrow(failure)
  expect(finishedSpans().map(({ status }) => status.message)).toEqual(['no'])
})

it('a Bedrock callback runs in the context of the caller, not inside the span', async () => {
  const active = await new Promise((resolve) => {
    new BedrockRuntimeClient().send(new ConverseCommand(params), () => resolve(trace.getSpan(context.active())))
  })
  expect(active).toBeUndefined()
  expect(output()).toEqual([SAID])
})

describe('the body of a Bedrock command', () => {
  it.each([undefined, null, 7, 'not JSON', '[]', 'null', '7', new Uint8Array([255, 254]), new Blob(['{}']), {}])(
    'that is %o is sent unchanged, with a span',
    async (body) => {
      answering = async () => ({ output: { body }, response: { headers: { 'x-amzn-bedrock-input-token-count': '4' } } })
      await new BedrockRuntimeClient().send(new InvokeModelCommand({ modelId: 'meta.llama3', body }))
      const [span] = finishedSpans()
      expect(span?.name).toBe('generate_content meta.llama3')
      expect(span?.attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS]).toBe('{"input":4,"total":4}')
    },
  )

  it.each(['[{}]', '{"generation":7}', '{"outputs":"x","usage":[]}', ''])(
    'of a response may be %s',
    async (responseBody) => {
      const body = new TextEncoder().encode(responseBody)
      answering = async () => ({ output: { body }, response: {} })
      await new BedrockRuntimeClient().send(new InvokeModelCommand({ modelId: 'meta.llama3', body: '{"prompt":"Hi"}' }))
      expect(finishedSpans()).toHaveLength(1)
    },
  )

  it('to a model with a custom name is recognized by a field of its family', async () => {
    const body = JSON.stringify({
      anthropic_version: 'bedrock-2023-05-31',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const modelId = 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc'
    await new BedrockRuntimeClient().send(new InvokeModelCommand({ modelId, body }))
    const [span] = finishedSpans()
    expect(span?.name).toBe(`chat ${modelId}`)
    expect(span?.attributes[ATTRIBUTE.OBSERVATION_INPUT]).toContain('Hi')
  })
})
