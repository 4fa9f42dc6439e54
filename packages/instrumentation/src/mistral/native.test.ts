import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { isVendorBound } from '../record/current.ts'
import { corrections } from './corrections.ts'
import { SLOT } from './edit.ts'
import { edit as editMistral } from './native.ts'

const NONE = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

afterEach(() => {
  vi.unstubAllEnvs()
  configure({})
})

const from = createRequire(new URL('../../../../test/instrumentation/mistral/package.json', import.meta.url))
const own = readFileSync(from.resolve('mistral-2').replace(/index\.js$/, 'extra/observability/otel.js'), 'utf8')

describe('the native spans of @mistralai/mistralai', () => {
  it('are enabled for the global provider, unless the user configured them or they cannot be corrected', () => {
    vi.stubEnv('MISTRAL_SDK_TELEMETRY', undefined)
    expect(editMistral('function setAvailableAttributes(span, attributes) {')).toMatchObject({
      missing: ['conversations and OCR'],
    })
    expect(process.env.MISTRAL_SDK_TELEMETRY).toBeUndefined()
    expect(editMistral(own).missing).toEqual([])
    expect(process.env.MISTRAL_SDK_TELEMETRY).toBe('globaL')
    vi.stubEnv('MISTRAL_SDK_TELEMETRY', 'false')
    editMistral(own)
    expect(process.env.MISTRAL_SDK_TELEMETRY).toBe('false')
  })

  it('are corrected in five places of their module, which keeps its line numbers', () => {
    const source = own.split('\n')
    const changed = editMistral(source.join('\n')).source.split('\n')
    expect(changed).toHaveLength(source.length)
    expect(changed.filter((line, index) => line !== source[index])).toHaveLength(5)
  })

  it('have no content if the correction cannot be loaded', () => {
    const changed = editMistral(own).source
    const start = changed.indexOf('function setAvailableAttributes(')
    const record = runInThisContext(`(${changed.slice(start, changed.indexOf('\n}', start) + 2)})`)
    Reflect.deleteProperty(globalThis, Symbol.for(SLOT))
    const setAttribute = vi.fn()
    record({ setAttribute }, { 'gen_ai.input.messages': '[]' })
    expect(setAttribute).not.toHaveBeenCalled()
  })

  it('have no content if content is switched off, and all other attributes', () => {
    configure({ captureContent: false })
    const own = { 'gen_ai.input.messages': '[]', 'gen_ai.tool.definitions': '[]', 'gen_ai.request.model': 'm' }
    expect(corrections.attributes(own, NONE)).toEqual({ 'gen_ai.request.model': 'm' })
  })

  it('have bounded content', () => {
    configure({ contentMaxBytes: 2_000 })
    const long = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'x'.repeat(9_000) }] }])
    const { 'gen_ai.input.messages': text } = corrections.attributes({ 'gen_ai.input.messages': long }, NONE)
    expect(text).toContain('[truncated by svc')
  })

  it('are not propagated to the vendor, by no propagator, unless that is asked for', () => {
    const context = trace.setSpan(ROOT_CONTEXT, NONE)
    expect([isVendorBound(corrections.outgoing(context)), corrections.carried(context)]).toEqual([true, ROOT_CONTEXT])
    configure({ propagateToVendors: true })
    expect(trace.getSpan(corrections.carried(context))).toBe(NONE)
  })

  it('are those of a provider that the application has told the library, and left as they are there', () => {
    const registered = { getTracer: () => trace.getTracer('any') }
    vi.stubEnv('MISTRAL_SDK_TELEMETRY', 'global')
    expect(corrections.provider(registered)).toBeUndefined()
    vi.stubEnv('MISTRAL_SDK_TELEMETRY', 'globaL')
    expect(corrections.provider(registered)).toBe(registered)
    expect(corrections.provider(undefined)).not.toBe(registered)
    configure({ captureContent: false })
    const base = { owner: 'a test', attach() {}, forceFlush: async () => {}, shutdown: async () => {} }
    claimRuntime({ ...base, isOurs: () => false })
    const attributes = corrections.attributes({ 'gen_ai.input.messages': '[]' }, NONE)
    configure({})
    expect(isVendorBound(corrections.carried(trace.setSpan(ROOT_CONTEXT, NONE)))).toBe(true)
    releaseRuntime()
    expect(attributes).toEqual({ 'gen_ai.input.messages': '[]' })
  })

  it('have an error only for a refused request', () => {
    const span = { setAttribute: vi.fn(() => span), setStatus: vi.fn() }
    corrections.refused(span as unknown as Span, { status: 200 })
    expect(span.setStatus).not.toHaveBeenCalled()
    corrections.refused(span as unknown as Span, { status: 503 })
    expect(span.setStatus).toHaveBeenCalledWith({ code: 2, message: 'status 503' })
  })
})
