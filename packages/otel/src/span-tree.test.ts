import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Span as ApiSpan } from '@opentelemetry/api'
import type { ReadableSpan, Span } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { exporting, under } from '../test/support/tracing.ts'
import { SpanTree } from './span-tree.ts'

/** The exported spans as `child < parent`, by name. */
function drawn(spans: readonly ReadableSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  return spans.map(({ name, parentSpanContext: parent }) => {
    return parent ? `${name} < ${names.get(parent.spanId) ?? `unknown ${parent.spanId}`}` : name
  })
}

describe('no exported span has a parent that was dropped in this process:', () => {
  // request (dropped)
  // └─ handler (dropped)
  //    └─ agent
  //       └─ http (dropped)
  //          ├─ llm
  //          └─ tool
  it('children have the nearest exported ancestor as parent, or none', async () => {
    const { tracer, exported } = exporting()
    const request = tracer('http').startSpan('request')
    const handler = tracer('express').startSpan('handler', {}, under(request))
    const agent = tracer().startSpan('agent', {}, under(handler))
    const http = tracer('http').startSpan('http', {}, under(agent))
    const llm = tracer().startSpan('llm', {}, under(http))
    const tool = tracer().startSpan('tool', {}, under(http))
    for (const span of [llm, http, tool, agent, handler, request]) span.end()
    expect(drawn(await exported())).toEqual(['llm < agent', 'tool < agent', 'agent'])
  })

  it('children that end or start after their dropped parent have the same ancestor', async () => {
    const { tracer, exported } = exporting()
    const top = tracer().startSpan('top')
    const http = tracer('http').startSpan('http', {}, under(top))
    const early = tracer().startSpan('early', {}, under(http))
    http.end()
    top.end()
    const late = tracer().startSpan('late', {}, under(http))
    early.end()
    late.end()
    expect(drawn(await exported())).toEqual(['top', 'early < top', 'late < top'])
  })

  it('a remote parent is kept, also above a dropped span', async () => {
    const { tracer, exported } = exporting()
    const remote = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true }
    const incoming = under({ spanContext: () => remote } as ApiSpan)
    const server = tracer('http').startSpan('server', {}, incoming)
    tracer().startSpan('llm', {}, under(server)).end()
    tracer().startSpan('direct', {}, incoming).end()
    server.end()
    expect((await exported()).map((span) => span.parentSpanContext)).toEqual([remote, remote])
  })

  it('an open ancestor is judged by its current attributes', async () => {
    const { tracer, exported } = exporting()
    const top = tracer().startSpan('top')
    const workflow = tracer('my-workflow').startSpan('workflow', {}, under(top))
    const before = tracer().startSpan('before', {}, under(workflow))
    before.end()
    workflow.setAttribute('gen_ai.operation.name', 'invoke_agent')
    const after = tracer().startSpan('after', {}, under(workflow))
    after.end()
    workflow.end()
    top.end()
    expect(drawn(await exported())).toEqual(['before < top', 'after < workflow', 'workflow < top', 'top'])
  })

  it('a request of the process to itself has no gap', async () => {
    const { tracer, exported } = exporting()
    const top = tracer().startSpan('top')
    const client = tracer('http').startSpan('client', {}, under(top))
    const arrived = { ...client.spanContext(), isRemote: true }
    const server = tracer().startSpan('server', {}, under({ spanContext: () => arrived } as ApiSpan))
    for (const span of [server, client, top]) span.end()
    expect(drawn(await exported())).toEqual(['server < top', 'top'])
  })

  it('spans that started before the processor was added are unchanged', async () => {
    const { tracer, processor, exported } = exporting()
    const foreign = exporting().tracer().startSpan('foreign') as Span
    foreign.end()
    processor.onEnd(foreign)
    tracer().startSpan('own', {}, under(foreign)).end()
    expect(drawn(await exported())).toEqual(['foreign', 'own < foreign'])
  })
})

describe('the memory of the span tree', () => {
  const yes = () => true

  /** Spans each of which is the parent of the next, ended as `kept` says, or never. */
  function chain(length: number, kept?: boolean): { tree: SpanTree; last: Span } {
    const tree = new SpanTree()
    const { tracer } = exporting()
    let last = tracer().startSpan('0') as Span
    tree.start(last, true)
    for (let at = 1; at < length; at++) {
      const next = tracer().startSpan(String(at), {}, under(last)) as Span
      tree.start(next, true)
      if (kept !== undefined) tree.end(last, kept, yes)
      last = next
    }
    return { tree, last }
  }

  it('drops the oldest of the spans that never end, not the newest', () => {
    const { tree, last } = chain(10_001)
    const { tracer } = exporting()
    expect(tree.start(tracer().startSpan('child', {}, under(last)) as Span, true)).toBe(true)
  })

  it('does not grow with an endless chain of short spans', () => {
    const { tree, last } = chain(50_000, false)
    expect(tree.end(last, true, yes)).toBeUndefined()
  })

  it('never makes a dropped span a parent after a long chain of exported spans', () => {
    const { tree, last } = chain(1_001, true)
    const { tracer } = exporting()
    const child = tracer().startSpan('child', {}, under(last)) as Span
    tree.start(child, true)
    tree.end(last, false, yes)
    expect(tree.end(child, true, yes)?.spanId).toBe(last.parentSpanContext?.spanId)
  })

  it('does not retain ended spans', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const tree = new SpanTree()
    const held = new WeakRef(startAndEnd(tree))
    // A reference that was made in this turn of the loop is kept until its end.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(held.deref()).toBeUndefined()
    // The tree is still there.
    startAndEnd(tree)
  })

  function startAndEnd(tree: SpanTree): Span {
    const span = exporting().tracer('x').startSpan('s') as Span
    tree.start(span, false)
    tree.end(span, false, yes)
    return span
  }
})
