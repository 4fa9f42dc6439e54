import { ATTRIBUTE } from '@svc/core/attributes'
import { toText } from '@svc/core/json'
import type { RootRank, StoredObservation } from '../../store/observation.ts'
import type { ReceivedSpan } from '../../store/received.ts'
import { environmentOf } from './environment.ts'
import { experimentOf } from './experiment.ts'
import * as field from './fields.ts'
import { identityOf } from './identity.ts'
import { ioOf } from './io.ts'
import { metadataOf, type Sender, toolSourcesOf } from './metadata.ts'
import { withTools } from './tool-definitions.ts'
import { typeOf } from './type.ts'
import { costOf, usageOf } from './usage.ts'

/**
 * Makes an observation of a span, as the service does (contract 5.3 and 5.4).
 *
 * @param now milliseconds since 1970, the time of a span that brought none.
 */
export function observationOf(span: ReceivedSpan, sender: Sender, now: number): StoredObservation {
  const { attributes } = span
  const type = typeOf(span)
  const { startTime, endTime } = timesOf(span, now)
  const { input, output } = ioOf(span)
  const metadata = metadataOf(span, sender)
  return {
    traceId: span.traceId,
    id: span.spanId,
    parentId: span.parentSpanId,
    root: rootRank(span),
    type,
    name: field.nameOf(span),
    level: field.levelOf(span),
    statusMessage: field.statusMessageOf(span),
    startTime,
    endTime,
    completionStartTime: field.completionStartOf(attributes, startTime),
    model: field.modelOf(attributes),
    modelParameters: field.modelParametersOf(span),
    input: toText(withTools(input, metadata.tools, toolSourcesOf(span))) ?? null,
    output: toText(output) ?? null,
    metadata,
    usage: usageOf(span),
    cost: costOf(attributes),
    ...field.promptOf(attributes, type),
    environment: environmentOf(span),
    version: field.versionOf(span),
    release: field.releaseOf(span),
    ...identityOf(attributes),
    experiment: experimentOf(span),
  }
}

function rootRank({ parentSpanId, attributes }: ReceivedSpan): RootRank {
  const isTrue = (key: string) => attributes[key] === true || attributes[key] === 'true'
  if (parentSpanId === null || isTrue(ATTRIBUTE.AS_ROOT)) return 2
  return isTrue(ATTRIBUTE.IS_APP_ROOT) ? 1 : 0
}

/** Microseconds since 1970. A missing time is copied from the other side. */
function timesOf({ startTimeUnixNano, endTimeUnixNano }: ReceivedSpan, now: number) {
  const start = micros(startTimeUnixNano)
  const end = micros(endTimeUnixNano)
  const some = start || end || now * 1_000
  return { startTime: start || some, endTime: end || some }
}

// The year 2255: later times are no exact numbers, and some are no dates, which would fail every later read.
const MAX_MICROS = 9e15

function micros(nanos: string): number {
  return Math.min(Number(BigInt(nanos) / 1_000n), MAX_MICROS)
}
