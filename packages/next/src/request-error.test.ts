import { trace } from '@opentelemetry/api'
import type { Resource } from '@svc/otel/edge'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EdgeSpan } from './edge/edge-span.ts'
import { EdgeTracerProvider } from './edge/edge-tracer.ts'
import { noteError, onRequestError } from './request-error.ts'

const ended: EdgeSpan[] = []
beforeEach(() => {
  ended.length = 0
  trace.setGlobalTracerProvider(
    new EdgeTracerProvider({
      resource: { attributes: {} } as Resource,
      isMuted: () => false,
      onStart() {},
      onEnd: (span) => void ended.push(span),
    }),
  )
})
afterEach(() => trace.disable())

const REQUEST = { method: 'GET' }
const WHERE = { routerKind: 'App Router', routePath: '/chat', routeType: 'render', renderSource: undefined } as const

it('an error that no observation has recorded is an event, with its place as metadata', () => {
  onRequestError(new Error('the page broke'), REQUEST, WHERE as never)
  expect(ended.map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'GET /chat',
      {
        'svc.observation.type': 'event',
        'svc.observation.level': 'ERROR',
        'svc.observation.status_message': 'the page broke',
        'svc.observation.metadata.routerKind': '"App Router"',
        'svc.observation.metadata.routePath': '"/chat"',
        'svc.observation.metadata.routeType': '"render"',
      },
    ],
  ])
})

it('an error around one that an observation has recorded is not recorded again', () => {
  const cause = new Error('the call broke')
  noteError(cause)
  onRequestError(new Error('rendering failed', { cause }), REQUEST, WHERE as never)
  expect(ended).toEqual([])
})

it('errors that are the cause of each other are recorded', () => {
  const first = new Error('first')
  first.cause = new Error('second', { cause: first })
  onRequestError(first, REQUEST, WHERE as never)
  expect(ended.map(({ attributes }) => attributes['svc.observation.status_message'])).toEqual(['first'])
})
