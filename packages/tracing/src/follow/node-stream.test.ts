import { PassThrough, Readable, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { collectUntil } from '../../test/garbage.ts'
import { piecesOf } from '../../test/pieces.ts'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']
const ended = () => spans().some(({ name }) => name === 'work')
const followed = <S extends NodeJS.EventEmitter>(stream: S) => observe(() => stream, { name: 'work' })()

/** The ways in which an application reads a stream of Node. */
const READINGS: Record<string, (stream: Readable) => Promise<string>> = {
  'for await': async (stream) => (await piecesOf(stream)).join(''),
  data: async (stream) => {
    let text = ''
    stream.on('data', (chunk) => (text += chunk))
    await finished(stream)
    return text
  },
  'read()': async (stream) => {
    let text = ''
    stream.on('readable', () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk
    })
    await finished(stream)
    return text
  },
  pipeline: async (stream) => {
    const through = new PassThrough()
    const [text] = await Promise.all([through.toArray(), pipeline(stream, through)])
    return text.join('')
  },
  toWeb: async (stream) => new Response(Readable.toWeb(stream) as ReadableStream).text(),
}

describe('a Node stream', () => {
  it.each(Object.entries(READINGS))('is followed to its end when it is read by %s', async (_, reading) => {
    const stream = Readable.from([Buffer.from('gr'), Buffer.from([0xc3]), Buffer.from([0xbc]), Buffer.from('n')])
    const given = followed(stream)
    await new Promise(setImmediate)
    expect([given === stream, given.readableFlowing, ended()]).toEqual([true, null, false])
    expect(stream.eventNames()).toEqual(Readable.from([]).eventNames())
    await reading(given)
    expect(output()).toBe('grün')
    expect(Object.hasOwn(given, 'emit')).toBe(false)
  })

  it('of objects becomes a list', async () => {
    await followed(Readable.from([{ a: 1 }, { b: 2 }])).toArray()
    expect(output()).toBe('[{"a":1},{"b":2}]')
  })

  it('that fails passes the error on, which is uncaught without a listener', async () => {
    const error = new Error('boom')
    const stream = startActiveObservation('work', () => new PassThrough())
    stream.on('error', () => {})
    stream.destroy(error)
    await expect(finished(stream)).rejects.toBe(error)
    expect(span('work').status.message).toBe('boom')
    const lonely = startActiveObservation('lonely', () => new PassThrough())
    expect(() => lonely.emit('error', error)).toThrow(error)
    expect(span('lonely').status.message).toBe('boom')
  })

  it('that is closed early ends', async () => {
    const stream = followed(Readable.from(['a', 'b']))
    for await (const _ of stream) break
    await new Promise((resolve) => stream.once('close', resolve))
    expect([stream.destroyed, output(), attributes('work')['svc.observation.level']]).toEqual([true, 'a', undefined])
  })

  it('that is writable ends when it has finished', async () => {
    const sink = followed(new Writable({ write: (_chunk, _encoding, done) => done() }))
    expect(ended()).toBe(false)
    sink.end('a')
    await finished(sink)
    expect(ended()).toBe(true)
  })

  it('that has ended already is left unchanged', async () => {
    const stream = Readable.from(['a'])
    await stream.toArray()
    expect(followed(stream)).toBe(stream)
    expect(followed(new PassThrough().destroy()).destroyed).toBe(true)
    expect(spans()).toHaveLength(2)
  })

  it('that is never read ends with the time it was returned', async () => {
    ;(() => void followed(new PassThrough()))()
    await collectUntil(ended)
    expect(ended()).toBe(true)
  })
})
