import { describe, expect, it } from 'vitest'
import { bodyTextOf } from './body-text.ts'

const encoder = new TextEncoder()
const event = (part: object) => `data: ${JSON.stringify(part)}\n\n`

function read(headers: Record<string, string>, ...chunks: (string | Uint8Array)[]) {
  const text = bodyTextOf(new Response(null, { headers }))
  for (const chunk of chunks) text?.add(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  return text && { output: text.output, outcome: text.outcome }
}

describe('a UI-message stream', () => {
  const UI = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' }

  it('is recorded as its text, wherever its chunks are cut', () => {
    const whole = [
      event({ type: 'start' }),
      event({ type: 'reasoning-delta', id: '0', delta: 'Hmm.' }),
      event({ type: 'text-delta', id: '1', delta: 'Grüß ' }),
      event({ type: 'text-delta', id: '1', delta: 'Gott\n"you"' }),
      'data: [DONE]\n\n',
    ].join('')
    const bytes = encoder.encode(whole)
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    expect(read(UI, ...single)).toEqual({ output: 'Grüß Gott\n"you"', outcome: undefined })
    expect(read(UI, whole)).toEqual({ output: 'Grüß Gott\n"you"', outcome: undefined })
  })

  it('with an error part has failed, and an aborted one is a warning', () => {
    expect(read(UI, event({ type: 'error', errorText: 'no model' }))?.outcome).toEqual({
      level: 'ERROR',
      statusMessage: 'no model',
    })
    expect(read(UI, event({ type: 'abort' }))?.outcome).toEqual({ level: 'WARNING', statusMessage: 'aborted' })
  })

  it('may be malformed', () => {
    expect(read(UI, 'data: {"type":"text-delta","delta":\n\ndata: {"type":"text-delta"}\n\n')?.output).toBeUndefined()
  })
})

describe('any other response body', () => {
  it.each(['text/plain', 'application/json; charset=utf-8', 'application/problem+json', 'text/event-stream'])(
    'of %s is recorded unchanged',
    (type) => {
      expect(read({ 'content-type': type }, 'a', 'b')?.output).toBe('ab')
    },
  )

  it.each(['image/png', 'application/octet-stream', 'application/zip'])('of %s is not recorded', (type) => {
    expect(read({ 'content-type': type }, 'a')).toBeUndefined()
  })

  it('that is compressed is not recorded', () => {
    expect(read({ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 'a')).toBeUndefined()
  })

  it('is recorded up to a million characters', () => {
    const kept = read({ 'content-type': 'text/plain' }, 'x'.repeat(600_000), 'y'.repeat(600_000))?.output
    expect(kept).toMatch(/y\[truncated by svc: 200000 more characters\]$/)
  })
})
