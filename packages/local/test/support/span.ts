import type { Attributes, ReceivedSpan } from '../../src/store/received.ts'
import { observationOf } from '../../src/trace/map/observation.ts'

let made = 0

/** A span as it arrives, with only what a test cares about; `scope` is `name` or `name@version`, ids are new each time. */
export function span({
  scope,
  ...fields
}: Partial<Omit<ReceivedSpan, 'scope'>> & { scope?: string } = {}): ReceivedSpan {
  made += 1
  const [, name = '', version = ''] = /^(.*?)(?:@(\d.*))?$/.exec(scope ?? 'my-tracer') ?? []
  return {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: made.toString(16).padStart(16, '0'),
    parentSpanId: null,
    traceState: '',
    flags: 1,
    name: 'a span',
    kind: 1,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: {},
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0, message: '' },
    resource: { attributes: {} },
    scope: { name, version, attributes: {} },
    ...fields,
  }
}

/** An event of a span. */
export const event = (name: string, attributes: Attributes) => ({
  name,
  timeUnixNano: '1700000000000000000',
  attributes,
})

/** What is stored of a span, in the form of files of before the request was kept. */
export const entry = (received: ReceivedSpan) => ({
  span: JSON.stringify(received),
  observation: observationOf(received, {}, 1),
})
