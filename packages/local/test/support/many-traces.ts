import { randomBytes } from 'node:crypto'
import type { LocalService } from '../../src/index.ts'
import { attributes } from './attributes.ts'
import { otlpJson, post } from './sdk.ts'

/** Spans of one request. */
const AT_ONCE = 6_000
const MINUTE = 60_000
const id = (bytes: number) => randomBytes(bytes).toString('hex')

/**
 * Fills a service with traces of a support chat over the last days, the newest last: a root, a model call, a tool. One tool
 * call in 50 fails; the search is twice as slow since yesterday.
 */
export async function fill(local: LocalService, count: number, now = Date.now(), everyMs = MINUTE / 20): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE / 3) {
    const part = Array.from({ length: Math.min(AT_ONCE / 3, count - at) }, (_, more) => at + more)
    const spans = part.flatMap((each) => chat(each, now - (count - each) * everyMs, now))
    const response = await post(local, otlpJson(spans, { name: 'svc-sdk', version: '6.0.0' }), {
      'content-type': 'application/json',
    })
    if (response.status !== 200) throw new Error(`the intake answered ${response.status}`)
  }
}

const DAY = 24 * 60 * MINUTE

/** The spans of one trace. */
function chat(each: number, startedAt: number, now: number): object[] {
  const traceId = id(16)
  const [root, model, tool] = [id(8), id(8), id(8)]
  const searchMs = now - startedAt < DAY ? 600 : 300
  const isFailed = each % 50 === 0
  const who = attributes({
    'user.id': `user-${each % 500}`,
    'session.id': `session-${each % 2_000}`,
    'svc.trace.tags': [each % 2 === 0 ? 'web' : 'app'],
    'svc.release': each % 3 === 0 ? '1.4.0' : '1.5.0',
  })
  const span = (
    spanId: string,
    name: string,
    [from, to]: readonly [number, number],
    values: Parameters<typeof attributes>[0],
    more: object = {},
  ) => ({
    ...{ traceId, spanId, name, startTimeUnixNano: nanos(startedAt + from), endTimeUnixNano: nanos(startedAt + to) },
    attributes: [...who, ...attributes(values)],
    ...more,
  })
  return [
    span(root, 'POST /chat', [0, searchMs + 800], {
      'svc.observation.type': 'agent',
      'svc.observation.input': `question ${each}`,
      'svc.observation.output': `answer ${each}`,
    }),
    span(
      model,
      'answer',
      [10, 700],
      {
        'svc.observation.type': 'generation',
        'svc.observation.model.name': each % 4 === 0 ? 'gpt-5' : 'gpt-5-mini',
        'svc.observation.usage_details': JSON.stringify({ input: 900, output: 120 }),
        'svc.observation.cost_details': JSON.stringify({ total: 0.002 }),
        'svc.observation.prompt.name': 'support',
        'svc.observation.prompt.version': each % 500 === 7 ? 4 : 3,
        'svc.observation.input': JSON.stringify([
          { role: 'system', content: 'You help.' },
          { role: 'user', content: `question ${each}` },
        ]),
        'svc.observation.output': JSON.stringify({ role: 'assistant', content: `answer ${each}` }),
      },
      { parentSpanId: root },
    ),
    span(
      tool,
      'search_docs',
      [710, 710 + searchMs],
      {
        'svc.observation.type': 'tool',
        'svc.observation.input': JSON.stringify({ query: `words of ${each}`, limit: 5 }),
      },
      {
        parentSpanId: root,
        ...(isFailed && { status: { code: 2, message: `index ${each} timed out after 5000 ms` } }),
      },
    ),
  ]
}

const nanos = (ms: number) => `${Math.round(ms)}000000`
