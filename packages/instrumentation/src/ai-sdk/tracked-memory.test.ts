import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'
import { expect, it } from 'vitest'
import { tracked } from './tracked.ts'

setFlagsFromString('--expose-gc')
const gc: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')
const tracer = tracked(new TracerProvider().getTracer('test'), { dialect: 'gen_ai' })

/** A call with a request to its model, each with so many bytes of content. */
function call(bytes: number): void {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': Buffer.alloc(bytes, 'x').toString('latin1'),
  }
  const whole = tracer.startSpan('call', {}, FLAT_ROOT_CONTEXT)
  const model = tracer.startSpan('model', { attributes }, trace.setSpan(FLAT_ROOT_CONTEXT, whole))
  model.setAttributes({ recorded: true })
  model.end()
  whole.end()
}

it('content of ended spans is freed without a full garbage collection', () => {
  gc({ type: 'major' })
  const before = process.memoryUsage().heapUsed
  for (let made = 0; made < 200; made += 1) {
    call(10_000)
    // Objects that survive two of these stay until a full one.
    if (made % 10 === 0) gc({ type: 'minor' })
  }
  gc({ type: 'minor' })
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000)
})
