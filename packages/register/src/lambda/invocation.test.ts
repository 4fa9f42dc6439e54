import { expect, it } from 'vitest'
import { attributesOf, headersOf, linksTo } from './invocation.ts'

const request = { requestContext: { http: {} }, headers: { Traceparent: 'x', cookie: undefined } }

it.each([
  ['a request of API Gateway', request, 'http'],
  ['a message of SQS', { Records: [{ eventSource: 'aws:sqs' }] }, 'pubsub'],
  ['a message of SNS', { Records: [{ EventSource: 'aws:sns' }] }, 'pubsub'],
  ['a file in S3', { Records: [{ eventSource: 'aws:s3' }] }, 'datasource'],
  ['a schedule', { 'detail-type': 'Scheduled Event', source: 'aws.events' }, 'timer'],
  ['records of something else', { Records: [{ eventSource: 'toString' }] }, 'other'],
  ['no object', 'text', 'other'],
  ['nothing', null, 'other'],
])('what triggered an invocation is known of %s', (_, event, trigger) => {
  expect(attributesOf(event, {}, true)).toEqual({ 'faas.trigger': trigger, 'faas.coldstart': true })
})

it('an invocation has the id of its request, and its function without an alias', () => {
  const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:shop'
  expect(attributesOf({}, { awsRequestId: 'one', invokedFunctionArn: `${arn}:live` }, false)).toEqual({
    'faas.trigger': 'other',
    'faas.coldstart': false,
    'faas.invocation_id': 'one',
    'cloud.resource_id': arn,
  })
})

it('the headers of a request have names in lower case, and only texts', () => {
  expect(headersOf(request)).toEqual({ traceparent: 'x' })
  expect(headersOf({ headers: { host: 'x' } })).toEqual({})
})

it('the trace in X-Ray is a link, sampled or not', () => {
  const header = (sampled: number) =>
    `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=${sampled}`
  const caller = { traceId: '5759e988bd862e3fe1be46a994272793', spanId: '53995c3f42cd8ad8', isRemote: true }
  expect(linksTo(header(1))).toEqual([{ context: { ...caller, traceFlags: 1 } }])
  expect(linksTo(header(0))).toEqual([{ context: { ...caller, traceFlags: 0 } }])
  for (const other of [undefined, '', 'Root=1-5759e988-bd862e3fe1be46a994272793']) expect(linksTo(other)).toEqual([])
})
