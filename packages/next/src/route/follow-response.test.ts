import { ROOT_CONTEXT } from '@opentelemetry/api'
import type { RequestRoot } from '@svc/core/muted-span'
import type { Resource } from '@svc/otel/edge'
import { SPAN_FIELD } from '@svc/tracing/adapters'
import { describe, expect, it, vi } from 'vitest'
import type { EdgeSpan } from '../edge/edge-span.ts'
import { EdgeTracerProvider } from '../edge/edge-tracer.ts'
import { followResponse } from './follow-response.ts'
import { ResponseEnd } from './response-end.ts'

function following(signal?: AbortSignal, request?: RequestRoot) {
  let ends = 0
  const provider = new EdgeTracerProvider({
    resource: { attributes: {} } as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd() {
      ends += 1
    },
  })
  const span = provider.getTracer('scope').startSpan('request', {}, ROOT_CONTEXT) as EdgeSpan
  const fields = () =>
    Object.entries(SPAN_FIELD).flatMap(([name, attribute]) => {
      const value = span.attributes[attribute]
      return value === undefined ? [] : [[name, value]]
    })
  const end = new ResponseEnd(ROOT_CONTEXT, span, signal, request)
  return { end, recorded: () => ({ ends, attributes: Object.fromEntries(fields()) }) }
}

/** A request that our pipeline follows. */
function followed() {
  const actions: (() => void)[] = []
  const request: RequestRoot = { open: () => undefined, whenDone: (action) => void actions.push(action) }
  return { request, done: () => actions.splice(0).forEach((action) => void action()) }
}

const endless = (pieces: string[], fail?: Error) =>
  new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
      else if (fail) controller.error(fail)
    },
  })

it.each([
  ['of the handler, while the client waits, is its error', false, 'ERROR', 'too slow'],
  ['of the client is no error', true, 'WARNING', 'client closed'],
])('an abort %s', (_, isLeft, level, statusMessage) => {
  const { end, recorded } = following(isLeft ? AbortSignal.abort() : new AbortController().signal)
  end.fail(new DOMException('too slow', 'AbortError'))
  expect(recorded()).toEqual({ ends: 1, attributes: { level, statusMessage } })
})

it('an abort of a request whose signal cannot be read is that of the client', () => {
  const { end, recorded } = following()
  end.fail(new DOMException('gone', 'AbortError'))
  expect(recorded().attributes).toEqual({ level: 'WARNING', statusMessage: 'client closed' })
})

describe('the response of a handler', () => {
  it('is the same object, and ends its observation once when it has been read', async () => {
    const { end, recorded } = following()
    const response = new Response('an answer', { headers: { 'x-kept': 'yes' } })
    const sent = followResponse(response, end, true)
    expect(sent).toBe(response)
    expect(recorded().ends).toBe(0)
    expect(await sent.text()).toBe('an answer')
    expect(recorded()).toEqual({ ends: 1, attributes: { output: 'an answer' } })
    end.cancelled()
    expect(recorded().ends).toBe(1)
  })

  it('may be piped, as Next does', async () => {
    const { end, recorded } = following()
    const pieces: string[] = []
    const sent = followResponse(new Response('piped'), end, true)
    await sent.body?.pipeTo(new WritableStream({ write: (chunk) => void pieces.push(new TextDecoder().decode(chunk)) }))
    expect([pieces.join(''), recorded().attributes.output]).toEqual(['piped', 'piped'])
  })

  it.each([
    ['without a body', async () => new Response(null, { status: 204 })],
    ['that was read already', used],
  ])('%s ends it at once', async (_, make) => {
    const { end, recorded } = following()
    const response = await make()
    expect(followResponse(response, end, true)).toBe(response)
    expect(recorded()).toEqual({ ends: 1, attributes: {} })
  })

  it('that is not read to its end is recorded as far as it was read, as a warning', async () => {
    const { end, recorded } = following()
    const reader = followResponse(new Response(endless(['one ', 'two '])), end, true).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(recorded()).toEqual({
      ends: 1,
      attributes: { output: 'one ', level: 'WARNING', statusMessage: 'client closed' },
    })
  })

  it('ends if the client disconnects before it is read', async () => {
    const leaving = new AbortController()
    const { end, recorded } = following(leaving.signal)
    followResponse(new Response(endless(['one '])), end, true)
    leaving.abort()
    expect(recorded()).toEqual({ ends: 1, attributes: { level: 'WARNING', statusMessage: 'client closed' } })
  })

  it('ends if the client disconnects from a request that is followed, before it is read', async () => {
    const leaving = new AbortController()
    const listen = vi.spyOn(leaving.signal, 'addEventListener')
    const { request, done } = followed()
    const { end, recorded } = following(leaving.signal, request)
    followResponse(new Response(endless(['one '])), end, true)
    expect(listen).not.toHaveBeenCalled()
    done()
    leaving.abort()
    await undefined
    expect(recorded()).toEqual({ ends: 1, attributes: { level: 'WARNING', statusMessage: 'client closed' } })
  })

  it('is watched for its collection only when the response of a followed request is done', async () => {
    const register = vi.spyOn(FinalizationRegistry.prototype, 'register')
    const { request, done } = followed()
    const { end, recorded } = following(undefined, request)
    const sent = followResponse(new Response('an answer'), end, true)
    // Node watches bodies of its own.
    const isWatched = () => register.mock.calls.some(([target, handle]) => target === sent.body && 'call' in handle)
    expect(isWatched()).toBe(false)
    done()
    await undefined
    expect(isWatched()).toBe(true)
    await sent.text()
    register.mockRestore()
    expect(recorded()).toEqual({ ends: 1, attributes: { output: 'an answer' } })
  })

  it('ends at once if the client had disconnected already', () => {
    const { end, recorded } = following(AbortSignal.abort())
    followResponse(new Response(endless([])), end, true)
    expect(recorded().attributes).toMatchObject({ level: 'WARNING' })
  })

  it('that fails while it is read is an error, also for the reader', async () => {
    const { end, recorded } = following()
    const sent = followResponse(new Response(endless(['one '], new Error('no more'))), end, true)
    await expect(sent.text()).rejects.toThrow('no more')
    expect(recorded()).toEqual({ ends: 1, attributes: { output: 'one ', level: 'ERROR', statusMessage: 'no more' } })
  })

  it('ends its observation when reading its text throws', () => {
    const { end, recorded } = following()
    const output = () => {
      throw new Error('broken')
    }
    end.follow(
      {
        add: output,
        get output() {
          return output()
        },
      },
      200,
    )
    end.onChunk('a')
    end.done()
    expect(recorded()).toEqual({ ends: 1, attributes: {} })
  })

  it('has no output if output is switched off', async () => {
    const { end, recorded } = following()
    await followResponse(new Response('secret'), end, false).text()
    expect(recorded()).toEqual({ ends: 1, attributes: {} })
  })
})

async function used(): Promise<Response> {
  const response = new Response('read')
  await response.text()
  return response
}
