import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { endOpenCalls } from '@svc/core/open-calls'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import OpenAI from 'openai'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../test/spans.ts'
import { suppressCalls } from '../record/suppress.ts'
import { instrumentOpenAI } from './patch.ts'

let server: ModelServer
let client: OpenAI
let gc: () => void

recordSpans()
beforeAll(() => {
  instrumentOpenAI({ OpenAI })
  setFlagsFromString('--expose-gc')
  gc = runInNewContext('gc')
})
beforeEach(async () => {
  endOpenCalls()
  forgetSpans()
  server = await startModelServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
})
afterEach(() => server.close())

const about = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'What is a span?' }] }
const ANSWER = 'You asked "What is a span?". The short version: it depends, but less than people think.'
const recordedSpans = () => finishedSpans().map(tell)

/** Collects garbage until `done`, or gives up after a while. */
async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    gc()
    await turn()
  }
}

describe('the span of an OpenAI call ends', () => {
  it('when its unread stream is collected, with the time of the last activity', async () => {
    await client.chat.completions.create({ ...about, stream: true })
    const answered = Date.now()
    // What is collected is so later: here by an hour.
    vi.spyOn(Date, 'now').mockReturnValue(answered + 3_600_000)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 3_600_000)
    await collectUntil(() => finishedSpans().length > 0)
    vi.restoreAllMocks()
    expect(recordedSpans()).toEqual([{ name: 'chat gpt-4o-mini', outcome: 'abandoned', output: [] }])
    const [seconds, nanoseconds] = finishedSpans()[0]?.endTime ?? [0, 0]
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeLessThan(answered + 60_000)
  })

  it('when the iterator of a half-read stream is collected, with the chunks read so far', async () => {
    await (async () => {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      const iterator = stream[Symbol.asyncIterator]()
      for (const _ of [1, 2, 3]) await iterator.next()
    })()
    await collectUntil(() => finishedSpans().length > 0)
    expect(recordedSpans()).toEqual([
      { name: 'chat gpt-4o-mini', outcome: 'abandoned', output: ['You asked'], streamed: true },
    ])
  })

  it('as an error if its response cannot be read, whichever method reads it', async () => {
    const headers = { 'content-type': 'application/json' }
    const cut = new OpenAI({ apiKey: 'none', fetch: async () => new Response('{"choices":', { headers }) })
    await expect(cut.chat.completions.create(about)).rejects.toThrow(SyntaxError)
    const response = await cut.chat.completions.create(about).asResponse()
    await expect(response.json()).rejects.toThrow(SyntaxError)
    const failed = { name: 'chat gpt-4o-mini', error: expect.stringMatching(/^SyntaxError: /), output: [] }
    expect(recordedSpans()).toEqual([failed, failed])
  })

  it('without output if its events are read as one text', async () => {
    const response = await client.chat.completions.create({ ...about, stream: true }).asResponse()
    await response.text()
    expect(recordedSpans()).toEqual([{ name: 'chat gpt-4o-mini', output: [] }])
  })

  it("when its promise was not awaited, with the server's response", async () => {
    void client.chat.completions.create(about)
    await collectUntil(() => finishedSpans().length > 0)
    expect(recordedSpans()).toEqual([{ name: 'chat gpt-4o-mini', outcome: 'abandoned', output: [] }])
  })

  it('not while the response is pending, even if its promise was dropped', async () => {
    const silent = new OpenAI({ apiKey: 'none', fetch: () => new Promise(() => {}) })
    void silent.chat.completions.create(about)
    // As many as what is collected takes to be told of, and more.
    for (let round = 0; round < 5; round += 1) {
      gc()
      await turn()
    }
    expect(finishedSpans()).toEqual([])
    endOpenCalls()
    expect(recordedSpans()).toEqual([{ name: 'chat gpt-4o-mini', outcome: 'unfinished', output: [] }])
  })

  it('without being watched by the garbage collector if its answer is awaited, however often', async () => {
    const register = vi.spyOn(FinalizationRegistry.prototype, 'register')
    const watched = () => register.mock.calls.filter(([, held]) => typeof held === 'object' && 'call' in held).length
    try {
      const request = client.chat.completions.create(about)
      expect(await request).toBe(await request)
      await client.chat.completions.create(about).withResponse()
      await client.chat.completions.parse(about)
      expect(recordedSpans()).toEqual(Array(3).fill({ name: 'chat gpt-4o-mini', output: [ANSWER], finish: ['stop'] }))
      expect(watched()).toBe(0)
      await client.chat.completions.create(about).asResponse()
      await client.chat.completions.create({ ...about, stream: true })
      expect(watched()).toBe(2)
    } finally {
      register.mockRestore()
    }
  })

  it('at exit, with the output received so far', async () => {
    const stream = await client.chat.completions.create({ ...about, stream: true })
    const iterator = stream[Symbol.asyncIterator]()
    for (const _ of [1, 2]) await iterator.next()
    endOpenCalls()
    expect(recordedSpans()).toEqual([
      { name: 'chat gpt-4o-mini', outcome: 'unfinished', output: ['You'], streamed: true },
    ])
    endOpenCalls()
    await iterator.next()
    expect(finishedSpans()).toHaveLength(1)
  })

  it('not before its response is read, however often garbage is collected', async () => {
    const collecting = { on: true }
    // A collection takes as long as many turns, and a call has hundreds of them.
    const garbage = (async () => {
      for (let at = 0; collecting.on; at += 1) {
        if (at % 8 === 0) gc()
        await turn()
      }
    })()
    const stream = await client.chat.completions.create({ ...about, stream: true })
    for await (const _ of stream) await turn()
    const request = client.chat.completions.create(about)
    for (let round = 0; round < 20; round += 1) await turn()
    await request
    await new Response((await client.chat.completions.create({ ...about, stream: true })).toReadableStream()).text()
    await client.chat.completions.stream(about).finalContent()
    collecting.on = false
    await garbage
    expect(recordedSpans().map(({ output, outcome }) => [output, outcome])).toEqual(
      Array(4).fill([[ANSWER], undefined]),
    )
  })
})

describe("an OpenAI call and the application's code", () => {
  it('a custom fetch runs inside the span, once for each attempt', async () => {
    const seen: (string | undefined)[] = []
    const watching: typeof fetch = (...args) => {
      seen.push(trace.getActiveSpan()?.spanContext().spanId)
      return fetch(...args)
    }
    const own = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', fetch: watching })
    await own.chat.completions.create({ ...about, model: 'flaky' })
    const [span] = finishedSpans()
    expect(seen).toEqual(Array(3).fill(span?.spanContext().spanId))
    expect(finishedSpans()).toHaveLength(1)
  })

  it('a failed request inside a custom fetch does not fail the call', async () => {
    const asking: typeof fetch = async (...args) => {
      await client.get('/nowhere').catch(() => {})
      return fetch(...args)
    }
    const own = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', fetch: asking })
    await own.chat.completions.create(about)
    expect(recordedSpans()).toEqual([{ name: 'chat gpt-4o-mini', output: [ANSWER], finish: ['stop'] }])
  })

  it('code after a call does not run inside its span', async () => {
    await client.chat.completions.create(about)
    expect(trace.getActiveSpan()).toBeUndefined()
  })

  it('without a method on its promise that others have on their class, and without those', async () => {
    const call = client.chat.completions.create(about)
    expect(Object.hasOwn(call, 'asResponse')).toBe(false)
    const other = client.get('/nothing')
    expect(Object.getPrototypeOf(other)).toBe(Object.getPrototypeOf(call))
    await expect(other.asResponse()).rejects.toThrow('404')
    await call
    expect(recordedSpans()).toHaveLength(1)
  })

  it('50 concurrent calls each have their own parent and their own response', async () => {
    const tracer = trace.getTracer('application')
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        tracer.startActiveSpan(`request ${index}`, async (span) => {
          const messages = [{ role: 'user' as const, content: `Question ${index}?` }]
          const request = { model: 'gpt-4o-mini', messages }
          if (index % 2) await client.chat.completions.create(request)
          else for await (const _ of await client.chat.completions.create({ ...request, stream: true }));
          span.end()
        }),
      ),
    )
    const spans = finishedSpans()
    const parents = spans.filter(({ name }) => name.startsWith('request'))
    const answers = parents.map((parent) => {
      const { spanId } = parent.spanContext()
      const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)
      return [parent.name, children.map((child) => /Question \d+/.exec(tell(child).output[0] ?? '')?.[0])]
    })
    const expected = Array.from({ length: 50 }, (_, index) => [`request ${index}`, [`Question ${index}`]])
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
  })

  it('a call recorded elsewhere creates no span, and other calls do', async () => {
    const recorded = (operation: string) => operation === 'chat'
    await context.with(suppressCalls(ROOT_CONTEXT, recorded), async () => {
      await client.chat.completions.create(about)
      await client.embeddings.create({ model: 'text-embedding-3-small', input: 'a' })
    })
    expect(recordedSpans().map(({ name }) => name)).toEqual(['embeddings text-embedding-3-small'])
  })
})
