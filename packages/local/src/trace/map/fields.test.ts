import { describe, expect, it } from 'vitest'
import { span } from '../../../test/support/span.ts'
import type { StoredObservation } from '../../store/observation.ts'
import { observationOf } from './observation.ts'

type SpanFields = Parameters<typeof span>[0]

const NOW = 1_800_000_000_000
const thrown = ({ type = '', message = '' }) => ({
  name: 'exception',
  timeUnixNano: '0',
  attributes: { 'exception.type': type, 'exception.message': message },
})
const observed = (given: SpanFields) => observationOf(span(given), {}, NOW)

// Contract 5.4, one list a field: the expected value and the span.
const FIELDS: { [Field in keyof StoredObservation]?: [expected: StoredObservation[Field], given: SpanFields][] } = {
  name: [
    ['a span', {}],
    ['weather', { attributes: { 'gen_ai.tool.name': 'weather', 'genkit:name': 'later' } }],
    ['step', { attributes: { 'genkit:name': 'step', 'logfire.msg': 'later' } }],
    ['message', { attributes: { 'logfire.msg': 'message' } }],
    ['lookup', { attributes: { 'ai.toolCall.name': 'lookup', 'ai.operationId': 'ai.toolCall' } }],
    ['ai.generateText', { attributes: { 'ai.operationId': 'ai.generateText' } }],
    [
      'my-fn:ai.generateText',
      { attributes: { 'ai.operationId': 'ai.generateText', 'ai.telemetry.functionId': 'my-fn' } },
    ],
  ],
  model: [
    [null, {}],
    ['stated', { attributes: { 'svc.observation.model.name': 'stated', 'gen_ai.response.model': 'later' } }],
    ['answered', { attributes: { 'gen_ai.response.model': 'answered', 'gen_ai.request.model': 'later' } }],
    ['of-ai', { attributes: { 'ai.model.id': 'of-ai', 'gen_ai.request.model': 'later' } }],
    ['asked', { attributes: { 'gen_ai.request.model': 'asked', model: 'later' } }],
    ['answered', { attributes: { 'llm.response.model': 'answered', 'llm.model_name': 'later' } }],
    ['llm', { attributes: { 'llm.model_name': 'llm', model: 'later' } }],
    ['bare', { attributes: { model: 'bare' } }],
    [null, { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.request.model': 'gpt-5' } }],
  ],
  modelParameters: [
    [{}, { attributes: { 'gen_ai.request.model': 'gpt-5' } }],
    [{ temperature: 1 }, { attributes: { 'svc.observation.model.parameters': '{"temperature":1}' } }],
    [{ top_p: 1, store: 'true' }, { attributes: { 'gen_ai.request.top_p': 1, 'gen_ai.request.store': true } }],
    [{ maxRetries: 2 }, { scope: 'ai', attributes: { 'ai.settings.maxRetries': 2, 'gen_ai.request.top_p': 1 } }],
    [{ top_k: 3 }, { attributes: { 'llm.invocation_parameters': '{"top_k":3}', model_config: '{}' } }],
    [{ a: 1 }, { attributes: { model_config: '{"a":1}' } }],
    [
      { temperature: 0.5, max_tokens: 9 },
      { attributes: { 'gen_ai.request.temperature': 0.5, 'gen_ai.request.max_tokens': 9 } },
    ],
  ],
  level: [
    ['DEFAULT', {}],
    ['ERROR', { status: { code: 2, message: '' } }],
    ['WARNING', { status: { code: 2, message: '' }, attributes: { 'svc.observation.level': 'WARNING' } }],
    ['DEBUG', { attributes: { 'svc.observation.level': 'trace' } }],
    ['DEBUG', { attributes: { 'svc.observation.level': 'VERBOSE' } }],
    ['DEFAULT', { attributes: { 'svc.observation.level': 'NOTICE' } }],
    ['WARNING', { attributes: { 'svc.observation.level': 'warn' } }],
    ['ERROR', { attributes: { 'svc.observation.level': 'FATAL' } }],
    ['DEFAULT', { attributes: { 'svc.observation.level': 'toString' } }],
  ],
  statusMessage: [
    [null, {}],
    ['from the status', { status: { code: 2, message: 'from the status' } }],
    ['stated', { status: { code: 2, message: 'later' }, attributes: { 'svc.observation.status_message': 'stated' } }],
    ['down', { status: { code: 2, message: '' }, events: [thrown({ type: 'Error' }), thrown({ message: 'down' })] }],
    ['TypeError', { status: { code: 2, message: '' }, events: [thrown({ type: 'TypeError' })] }],
    [null, { events: [thrown({ message: 'handled' })] }],
  ],
  completionStartTime: [
    [null, {}],
    [1_700_000_000_250_000, { attributes: { 'svc.observation.completion_start_time': '"2023-11-14T22:13:20.250Z"' } }],
    [1_700_000_000_250_000, { attributes: { 'svc.observation.completion_start_time': '2023-11-14T22:13:20.250Z' } }],
    [1_700_000_000_121_000, { attributes: { 'ai.response.msToFirstChunk': 120.5 } }],
    [1_700_000_000_120_000, { attributes: { 'ai.stream.msToFirstChunk': 120 } }],
    [null, { attributes: { 'svc.observation.completion_start_time': 'soon' } }],
  ],
  cost: [
    [{}, {}],
    [{ input: 0.5, total: 1 }, { attributes: { 'svc.observation.cost_details': '{"input":0.5,"total":1}' } }],
    [{ total: 0.2 }, { attributes: { 'gen_ai.usage.cost': 0.2, 'llm.cost.total': 9 } }],
    [{ total: 0.3 }, { attributes: { 'llm.cost.total': '0.3' } }],
  ],
  version: [
    [null, {}],
    ['1', { attributes: { 'svc.version': '1' }, resource: { attributes: { 'service.version': '2' } } }],
    ['2', { resource: { attributes: { 'service.version': '2' } } }],
  ],
  release: [
    ['r1', { attributes: { 'svc.release': 'r1' }, resource: { attributes: { 'svc.release': 'r2' } } }],
    ['r2', { resource: { attributes: { 'svc.release': 'r2' } } }],
  ],
  environment: [
    ['default', {}],
    ['prod', { attributes: { 'svc.environment': 'prod', 'deployment.environment': 'later' } }],
    ['own', { attributes: { 'svc.environment': 'own' }, resource: { attributes: { 'svc.environment': 'later' } } }],
    [
      'prod',
      {
        attributes: { 'deployment.environment.name': 'later' },
        resource: { attributes: { 'svc.environment': 'prod' } },
      },
    ],
    ['staging', { resource: { attributes: { 'deployment.environment.name': 'Staging' } } }],
    ['old', { attributes: { 'deployment.environment': 'old' } }],
    ['eu', { attributes: { 'svc.environment': 'svc-eu' } }],
    ['x'.repeat(40), { attributes: { 'svc.environment': 'x'.repeat(50) } }],
    ['default', { attributes: { 'svc.environment': 'not a name' } }],
  ],
  userId: [
    [null, { attributes: { 'user.id': '' } }],
    ['compat', { attributes: { 'svc.user.id': 'compat', 'user.id': 'later' } }],
    ['ada', { attributes: { 'user.id': 'ada' } }],
    ['42', { attributes: { 'user.id': 42 } }],
    ['ada', { attributes: { 'svc.observation.metadata.svc_user_id': 'ada' } }],
    ['ada', { attributes: { 'svc.trace.metadata.svc_user_id': 'ada' } }],
    ['ada', { attributes: { 'ai.telemetry.metadata.userId': 'ada' } }],
  ],
  sessionId: [
    ['compat', { attributes: { 'svc.session.id': 'compat', 'session.id': 'later' } }],
    ['s', { attributes: { 'session.id': 's', 'gen_ai.conversation.id': 'later' } }],
    ['conversation', { attributes: { 'gen_ai.conversation.id': 'conversation' } }],
    ['s', { attributes: { 'svc.trace.metadata.svc_session_id': 's' } }],
    ['s', { attributes: { 'ai.telemetry.metadata.sessionId': 's' } }],
  ],
  traceName: [['my trace', { attributes: { 'svc.trace.name': 'my trace' } }]],
  tags: [
    [[], {}],
    [['a', 'b'], { attributes: { 'svc.trace.tags': ['a', 'b', 'a'], 'svc.tags': ['later'] } }],
    [['a', 'b'], { attributes: { 'svc.tags': '["a","b"]' } }],
    [['a', 'b'], { attributes: { 'ai.telemetry.metadata.tags': 'a, b,' } }],
    [['a'], { attributes: { 'svc.observation.metadata.svc_tags': 'a' } }],
    [['a'], { attributes: { 'tag.tags': ['a'] } }],
  ],
  public: [
    [false, { attributes: { 'svc.trace.public': 'yes' } }],
    [true, { attributes: { 'svc.trace.public': true } }],
    [true, { attributes: { 'svc.public': 'true' } }],
  ],
  promptName: [
    [null, { attributes: { 'svc.observation.prompt.name': 'greeting' } }],
    ['greeting', generation({ 'svc.observation.prompt.name': 'greeting', 'svc.prompt.name': 'later' })],
    ['greeting', generation({ 'svc.prompt.name': 'greeting' })],
    ['greeting', generation({ 'ai.telemetry.metadata.svcPrompt': '{"name":"greeting","version":2}' })],
  ],
  promptVersion: [
    [3, generation({ 'svc.observation.prompt.version': 3 })],
    [2, generation({ 'ai.telemetry.metadata.svcPrompt': '{"name":"greeting","version":2}' })],
    [null, generation({ 'svc.observation.prompt.version': 'latest' })],
  ],
  root: [
    [2, {}],
    [0, { parentSpanId: 'a'.repeat(16) }],
    [1, { parentSpanId: 'a'.repeat(16), attributes: { 'svc.internal.is_app_root': true } }],
    [2, { parentSpanId: 'a'.repeat(16), attributes: { 'svc.internal.as_root': true } }],
  ],
  startTime: [
    [1_700_000_000_000_000, {}],
    [1_700_000_001_000_000, { startTimeUnixNano: '0' }],
    [NOW * 1_000, { startTimeUnixNano: '0', endTimeUnixNano: '0' }],
    [9e15, { startTimeUnixNano: '18446744073709551615' }],
  ],
  endTime: [[1_700_000_000_000_000, { endTimeUnixNano: '0' }]],
}

describe.each(Object.entries(FIELDS))('%s', (field, cases) => {
  it.each(cases as [unknown, SpanFields][])('%j from %j', (expected, given) => {
    expect(observed(given)[field as keyof StoredObservation]).toEqual(expected)
  })
})

function generation(attributes: Record<string, string | number>): SpanFields {
  return { attributes: { 'svc.observation.type': 'generation', ...attributes } }
}
