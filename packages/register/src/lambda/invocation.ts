import type { Attributes, Link } from '@opentelemetry/api'
import { TraceFlags } from '@opentelemetry/api'
import { GENERAL } from '@svc/core/attributes'
import { isFields } from '@svc/core/is-fields'

/** What AWS Lambda passes to a handler beside the event, as far as it is read. */
export interface LambdaContext {
  readonly functionName?: unknown
  readonly awsRequestId?: unknown
  readonly invokedFunctionArn?: unknown
  readonly getRemainingTimeInMillis?: unknown
}

/** Attributes of an invocation, of the FaaS conventions of OpenTelemetry. */
export function attributesOf(event: unknown, context: LambdaContext, isCold: boolean): Attributes {
  const { awsRequestId: id, invokedFunctionArn: arn } = context
  return {
    [GENERAL.FAAS_TRIGGER]: triggerOf(event),
    [GENERAL.FAAS_COLDSTART]: isCold,
    ...(typeof id === 'string' && { [GENERAL.FAAS_INVOCATION_ID]: id }),
    // Without the alias or version by which it was called.
    ...(typeof arn === 'string' && { [GENERAL.CLOUD_RESOURCE_ID]: arn.split(':', 7).join(':') }),
  }
}

/** The sources of the events of `Records`. */
const TRIGGERS: Readonly<Record<string, string>> = {
  'aws:sqs': 'pubsub',
  'aws:sns': 'pubsub',
  'aws:kinesis': 'pubsub',
  'aws:s3': 'datasource',
  'aws:dynamodb': 'datasource',
}

function triggerOf(event: unknown): string {
  if (!isFields(event)) return 'other'
  if (headersOf(event) !== NONE) return 'http'
  const { Records: records } = event
  const first: unknown = Array.isArray(records) ? records[0] : undefined
  const source = isFields(first) ? String(first.eventSource ?? first.EventSource) : undefined
  if (source !== undefined) return new Map(Object.entries(TRIGGERS)).get(source) ?? 'other'
  return event['detail-type'] === 'Scheduled Event' || event.source === 'aws.scheduler' ? 'timer' : 'other'
}

const NONE: Readonly<Record<string, string>> = {}

/**
 * Returns the headers of an event that is a request, with names in lower case: of API Gateway, a function URL or a load
 * balancer. None of other events.
 */
export function headersOf(event: unknown): Readonly<Record<string, string>> {
  if (!isFields(event) || !isFields(event.requestContext) || !isFields(event.headers)) return NONE
  const texts = Object.entries(event.headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value]))
}

const XRAY = /Root=1-([0-9a-f]{8})-([0-9a-f]{24}).*Parent=([0-9a-f]{16})/

/**
 * Returns a link to the trace of an invocation in X-Ray.
 *
 * @param header `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1`
 */
export function linksTo(header: string | undefined): Link[] {
  const [, time, random, spanId] = XRAY.exec(header ?? '') ?? []
  if (time === undefined || random === undefined || spanId === undefined) return []
  const traceFlags = header?.includes('Sampled=1') ? TraceFlags.SAMPLED : TraceFlags.NONE
  return [{ context: { traceId: time + random, spanId, traceFlags, isRemote: true } }]
}
