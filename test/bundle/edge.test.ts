import { createContext, runInContext } from 'node:vm'
import type { Context, TracerProvider as Provider } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

/** What `edge-app.mjs` exports. */
interface EdgeApp {
  readonly context: { setGlobalContextManager(manager: AsyncLocalStorageContextManager): boolean; active(): Context }
  setSvcTracerProvider(provider: Provider | null): void
  handle(question: string): Promise<unknown>
  travellingUser(userId: string): string | undefined
}

let script: string
beforeAll(async () => {
  script = (await bundle('edge-app.mjs', 'an edge runtime')).code
})

/** The bundle in a runtime with the globals of the web and nothing of Node, where text cannot become code. */
function onTheEdge(): { readonly app: EdgeApp; readonly printed: string[] } {
  const printed: string[] = []
  const say = (line: string) => void printed.push(line)
  const console = { log: say, debug: say, info: say, warn: say, error: say }
  const { crypto, TextEncoder, TextDecoder, ReadableStream, URL, queueMicrotask, setTimeout, clearTimeout } = globalThis
  const web = { crypto, TextEncoder, TextDecoder, ReadableStream, URL, queueMicrotask, setTimeout, clearTimeout }
  const runtime = createContext({ console, ...web }, { codeGeneration: { strings: false, wasm: false } })
  expect(runInContext('[typeof process, typeof Buffer, typeof require].join()', runtime)).toBe(
    'undefined,undefined,undefined',
  )
  return { app: runInContext(`${script}\napp`, runtime) as EdgeApp, printed }
}

/** A provider as the runtime may bring one, and the spans it took: name, name of the parent, attributes. */
function provider() {
  const exporter = new InMemorySpanExporter()
  const stamps = new SvcSpanProcessor({ exporter: new InMemorySpanExporter() })
  const it = new TracerProvider({ spanProcessors: [stamps, new SimpleSpanProcessor({ exporter })] })
  return {
    it,
    tree: () => {
      const spans = exporter.getFinishedSpans()
      const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
      return spans.map(({ name, parentSpanContext, attributes }) => ({
        name,
        parent: names.get(parentSpanContext?.spanId ?? '') ?? null,
        type: attributes['svc.observation.type'],
        userId: attributes['user.id'] ?? null,
      }))
    },
  }
}

const DONE = { answer: 'Hello.', seed: '0bafe22156d2698c143b86040446d366' }

describe('@svc/tracing on an edge runtime', () => {
  it('runs the work without output if nothing is traced', async () => {
    const { app, printed } = onTheEdge()
    expect(await app.handle('What?')).toEqual(DONE)
    expect(printed).toEqual([])
  })

  it('traces the work with a provider and a context manager', async () => {
    const { app, printed } = onTheEdge()
    const { it: brought, tree } = provider()
    app.setSvcTracerProvider(brought)
    app.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    expect(await app.handle('What?')).toEqual(DONE)
    // agent
    // ├─ ask
    // ├─ search
    // ├─ words
    // └─ done
    const child = { parent: 'agent', userId: 'ada' }
    expect(tree()).toEqual([
      { ...child, name: 'ask', type: 'generation' },
      { ...child, name: 'search', type: 'retriever' },
      { ...child, name: 'words', type: 'span' },
      { ...child, name: 'done', type: 'event' },
      { name: 'agent', parent: null, type: 'agent', userId: 'ada' },
    ])
    expect(printed).toEqual([])
  })

  it('sends along what can be encoded, and says what cannot', () => {
    const { app, printed } = onTheEdge()
    app.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    expect(app.travellingUser('ada 🙂')).toBe('ada 🙂')
    expect(printed).toEqual([])
    expect(app.travellingUser('half \ud83d')).toBeUndefined()
    expect(printed.join()).toContain('propagateAttributes: user.id is dropped: as baggage: half of a surrogate pair')
  })

  it('keeps children of an observation in its trace without a context manager', async () => {
    const { app, printed } = onTheEdge()
    const { it: brought, tree } = provider()
    app.setSvcTracerProvider(brought)
    expect(await app.handle('What?')).toEqual(DONE)
    const parents = Object.fromEntries(tree().map(({ name, parent }) => [name, parent]))
    expect(parents).toEqual({ ask: 'agent', search: null, words: null, done: null, agent: null })
    expect(printed).toEqual([])
  })
})
