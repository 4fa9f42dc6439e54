import { frameOf } from '../../../examples/model-server/src/bedrock.js'
import { standIn } from '../harness/stand-in.mjs'

const bytes = (text) => ({ bytes: Buffer.from(text).toString('base64') })
// A letter that two chunks share.
const [left, right] = [Buffer.from('Ein Stück A').subarray(0, 7), Buffer.from('Ein Stück A').subarray(7)]

const OVERLOADED = ['throttlingException', { message: 'Too many requests' }, 'exception']

const SOURCE = { type: 'S3', s3Location: { uri: 's3://notes/1' } }
const CITATION = {
  generatedResponsePart: { textResponsePart: { text: 'A unit of work.', span: { start: 0, end: 14 } } },
  retrievedReferences: [{ content: { text: 'A span is one unit of work.' }, location: SOURCE }],
}

const COMPLETIONS = {
  agent: [
    ['trace', { agentId: 'agent', trace: { failureTrace: { traceId: 't', failureReason: 'none' } } }],
    ['chunk', { bytes: left.toString('base64') }],
    ['chunk', { bytes: right.toString('base64') }],
    ['chunk', { ...bytes('rbeit.'), attribution: { citations: [CITATION] } }],
  ],
  guarded: [
    ['trace', { agentId: 'agent', trace: { guardrailTrace: { traceId: 't', action: 'NONE' } } }],
    ['trace', { agentId: 'agent', trace: { guardrailTrace: { traceId: 't', action: 'INTERVENED' } } }],
    ['chunk', bytes('Dazu sage ich nichts.')],
  ],
  asks: [
    [
      'returnControl',
      {
        invocationId: 'call-1',
        invocationInputs: [
          {
            functionInvocationInput: {
              actionGroup: 'weather',
              function: 'forecast',
              parameters: [{ name: 'city', type: 'string', value: 'Paris' }],
            },
          },
          {
            apiInvocationInput: {
              actionGroup: 'orders',
              httpMethod: 'GET',
              apiPath: '/orders/{id}',
              parameters: [{ name: 'id', type: 'string', value: '4711' }],
            },
          },
        ],
      },
    ],
  ],
  fails: [['chunk', bytes('Ein')], OVERLOADED],
}

const output = (nodeName, document) => [
  'flowOutputEvent',
  { nodeName, nodeType: 'FlowOutputNode', content: { document } },
]
const FLOWS = {
  fails: [output('left', 'A poem.'), OVERLOADED],
  flow: [output('out', 'A poem.'), ['flowCompletionEvent', { completionReason: 'SUCCESS' }]],
  branches: [
    output('left', 'A poem.'),
    output('right', { lines: 4 }),
    ['flowCompletionEvent', { completionReason: 'SUCCESS' }],
  ],
}

const RETRIEVED = [
  {
    content: { text: 'A span is one unit of work.' },
    location: SOURCE,
    score: 0.9,
  },
]
const REFUSAL = {
  status: 404,
  headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
  body: { message: 'no knowledge base of this name' },
}

const GENERATED = [
  ['output', { text: 'A unit' }],
  ['output', { text: ' of work.' }],
  ['citation', { citation: CITATION }],
]

const type = 'application/vnd.amazon.eventstream'
const frames = (events) => ({ frames: events.map(frameOf), type, headers: { 'x-amzn-bedrock-agent-session-id': 's' } })

export const server = await standIn(({ path, body }) => {
  const [, kind, id] = /^\/(agents|flows|knowledgebases)\/([^/]+)/.exec(path) ?? []
  if (id === 'hangs') return undefined
  if (id === 'missing') return REFUSAL
  if (/^(stalls|breaks)$/.test(id)) return { ...frames(COMPLETIONS.agent.slice(0, 3)), [id]: true }
  if (kind === 'agents') return frames(COMPLETIONS[id] ?? COMPLETIONS.agent)
  if (kind === 'flows') return frames(FLOWS[id])
  if (kind === 'knowledgebases') return { body: { retrievalResults: RETRIEVED } }
  if (path === '/retrieveAndGenerateStream') {
    const { sessionId } = body
    if (sessionId === 'fails') return frames([GENERATED[0], OVERLOADED])
    if (sessionId === 'stalls') return { ...frames(GENERATED.slice(0, 1)), stalls: true }
    return frames(GENERATED)
  }
  return { body: { sessionId: body.sessionId ?? 's', output: { text: 'A unit of work.' }, citations: [CITATION] } }
})
