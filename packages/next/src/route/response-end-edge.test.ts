import { ROOT_CONTEXT } from '@opentelemetry/api'
import type { Resource } from '@svc/otel/edge'
import { expect, it, vi } from 'vitest'
import { EdgeTracerProvider } from '../edge/edge-tracer.ts'
import { followResponse } from './follow-response.ts'
import { ResponseEnd } from './response-end.ts'

vi.mock('@svc/core/on-server', () => ({ ON_SERVER: false }))

function following(signal?: AbortSignal) {
  const ended: unknown[] = []
  const provider = new EdgeTracerProvider({
    resource: { attributes: {} } as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd: ({ attributes }) => void ended.push(attributes),
  })
  const span = provider.getTracer('scope').startSpan('request', {}, ROOT_CONTEXT)
  return { end: new ResponseEnd(ROOT_CONTEXT, span, signal), ended }
}

const left = (statusMessage: string) => ({
  'svc.observation.level': 'WARNING',
  'svc.observation.status_message': statusMessage,
})

it('a response on the edge ends its observation when it has been read', async () => {
  const { end, ended } = following()
  await followResponse(new Response('an answer'), end, true).text()
  expect(ended).toEqual([{ 'svc.observation.output': 'an answer' }])
})

it('a response on the edge ends its observation when the client leaves', () => {
  const leaving = new AbortController()
  const { end, ended } = following(leaving.signal)
  followResponse(new Response(new ReadableStream()), end, true)
  leaving.abort()
  expect(ended).toEqual([left('client closed')])
})

it('a response on the edge that is never read ends its observation when it is collected', () => {
  const register = vi.spyOn(FinalizationRegistry.prototype, 'register')
  const { end, ended } = following()
  const { body } = followResponse(new Response('an answer'), end, true)
  const [, handle] = register.mock.calls.find(([target, each]) => target === body && 'call' in each) ?? []
  register.mockRestore()
  handle.call.endWithout('abandoned')
  expect(ended).toEqual([left('the response was not read to its end')])
})
