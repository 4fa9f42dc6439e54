import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { heardStream } from './heard-stream.ts'

type Same = (stream: ReadableStream<number>) => ReadableStream<number>

/** What a source does at each pull: hands over so many values at once, and then goes on, closes, or fails. */
interface Pull {
  readonly values: number
  readonly end: 'on' | 'close' | 'fail'
  readonly late: boolean
}

const pulls = fc.array(
  fc.record<Pull>({
    values: fc.integer({ min: 0, max: 3 }),
    end: fc.constantFrom('on', 'on', 'on', 'close', 'fail'),
    late: fc.boolean(),
  }),
  { maxLength: 6 },
)
const reads = fc.array(fc.constantFrom('read', 'read', 'turn', 'cancel'), { maxLength: 12 })

it('whoever reads sees what they would see, and the source is asked for the same', async () => {
  await fc.assert(
    fc.asyncProperty(pulls, reads, fc.boolean(), async (script, steps, piped) => {
      const as = (same: Same) =>
        seen(script, steps, (stream) => (piped ? same(stream).pipeThrough(passing()) : same(stream)))
      expect(await as((stream) => heardStream(stream, {}))).toEqual(await as((stream) => stream))
    }),
  )
})

it('a stream that fails is heard while nobody reads', async () => {
  const heard: unknown[] = []
  const stream = new ReadableStream({ start: (controller) => void setImmediate(() => controller.error('down')) })
  heardStream(stream, { error: (reason) => heard.push(reason) })
  await turn()
  await turn()
  expect(heard).toEqual(['down'])
})

it('each value, the end, and the reader that leaves are heard', async () => {
  const heard: unknown[] = []
  const ear = {
    value: (value: unknown) => heard.push(value),
    done: () => heard.push('done'),
    left: () => heard.push('left'),
  }
  for await (const _ of heardStream(ReadableStream.from([1, 2]), ear));
  for await (const _ of heardStream(ReadableStream.from([3, 4]), ear)) break
  expect(heard).toEqual([1, 2, 'done', 3, 'left'])
})

it('what is no stream, or has a reader, stays', () => {
  const locked = new ReadableStream()
  locked.getReader()
  for (const stream of [locked, {} as ReadableStream]) expect(heardStream(stream, {})).toBe(stream)
})

const passing = () => new TransformStream<number, number>()

async function seen(script: readonly Pull[], steps: readonly string[], same: Same): Promise<object> {
  const [asked, read, closed]: unknown[][] = [[], [], []]
  const left = [...script]
  let next = 0
  const source = new ReadableStream<number>(
    {
      async pull(controller) {
        asked?.push('pulled')
        const { values, end, late } = left.shift() ?? { values: 0, end: 'close', late: false }
        if (late) await turn()
        for (let count = 0; count < values; count++) controller.enqueue(next++)
        if (end === 'close') controller.close()
        if (end === 'fail') controller.error(new Error('down'))
        if (end === 'on' && values === 0) await this.pull?.(controller)
      },
      cancel: (reason) => void asked?.push(['cancelled', reason]),
    },
    { highWaterMark: 0 },
  )
  const reader = same(source).getReader()
  told(reader.closed, closed)
  for (const step of ['turn', ...steps]) {
    if (step === 'read') await told(reader.read(), read)
    else if (step === 'cancel') await told(reader.cancel('enough'), read)
    for (let round = 0; round < 4; round++) await turn()
  }
  return { asked, read, closed }
}

async function told(what: Promise<unknown>, log: unknown[] = []): Promise<void> {
  log.push(await what.catch(String))
}
