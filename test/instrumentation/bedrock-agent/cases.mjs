import { createRequire } from 'node:module'
import { connect as connectAny } from '../bedrock/client.mjs'
import { breakOf, collect, dropHalfRead, errorOf, failReading, QUESTION, readUntil } from '../harness/kit.mjs'
import { server } from './server.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports }) {
  return connectAny({ exports, url: server.url }, { Client: exports.BedrockAgentRuntimeClient })
}

const send = ({ client, exports }, command, input, options) => client.send(new exports[command](input), options)

const asking = (agentId, more = { inputText: QUESTION }) => ({
  agentId,
  agentAliasId: 'TSTALIASID',
  sessionId: 'session-1',
  ...more,
})
const agent = async (kit, agentId = 'agent', more = undefined, options = {}) =>
  (await send(kit, 'InvokeAgentCommand', asking(agentId, more), options)).completion

const flow = async (kit, flowIdentifier, inputs) => {
  const input = { flowIdentifier, flowAliasIdentifier: 'TSTALIASID', inputs }
  return collect((await send(kit, 'InvokeFlowCommand', input)).responseStream)
}
const node = (document, nodeName = 'in') => ({ nodeName, nodeOutputName: 'document', content: { document } })

const retrieve = (kit, knowledgeBaseId = 'notes') =>
  send(kit, 'RetrieveCommand', { knowledgeBaseId, retrievalQuery: { text: QUESTION } })

const generation = {
  sessionId: 'session-1',
  input: { text: QUESTION },
  retrieveAndGenerateConfiguration: {
    type: 'KNOWLEDGE_BASE',
    knowledgeBaseConfiguration: {
      knowledgeBaseId: 'notes',
      modelArn: 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-test',
    },
  },
}

/** What an application can tell of an error of a service. */
const failureOf = async (promise) => {
  const { class: name, message } = await errorOf(promise)
  return [name, message]
}

const generate = (kit, sessionId, options) =>
  send(kit, 'RetrieveAndGenerateStreamCommand', { ...generation, sessionId }, options)

const returned = (function_, body) => ({
  functionResult: { actionGroup: 'weather', function: function_, responseBody: { TEXT: { body } } },
})

export const cases = {
  agent: async (kit) => collect(await agent(kit)),
  'what an agent leaves to the application': async (kit) => collect(await agent(kit, 'asks')),
  'the results of it': async (kit) => {
    const returnControlInvocationResults = [returned('forecast', '{"sunny":true}')]
    const sessionState = { invocationId: 'call-1', returnControlInvocationResults }
    return collect(await agent(kit, 'agent', { sessionState }))
  },
  'a guardrail that intervenes': async (kit) => collect(await agent(kit, 'guarded')),
  'an agent of one call': {
    since: 840,
    does: async (kit) => {
      const input = { foundationModel: 'anthropic.claude-test', instruction: 'Be brief.', inputText: QUESTION }
      const { completion } = await send(kit, 'InvokeInlineAgentCommand', { sessionId: 'session-1', ...input })
      return collect(completion)
    },
  },
  flow: (kit) => flow(kit, 'flow', [node('spring')]),
  'flow with branches': (kit) => flow(kit, 'branches', [node('spring'), node({ lines: 4 }, 'also')]),
  retrieve: (kit) => retrieve(kit).then(({ retrievalResults }) => retrievalResults),
  'a callback': ({ client, exports: { RetrieveCommand } }) =>
    new Promise((resolve) => {
      const command = new RetrieveCommand({ knowledgeBaseId: 'notes', retrievalQuery: { text: QUESTION } })
      client.send(command, (_, { retrievalResults }) => resolve(retrievalResults))
    }),
  'retrieve and generate': (kit) => send(kit, 'RetrieveAndGenerateCommand', generation).then(({ output }) => output),
  'retrieve and generate, streamed': {
    since: 840,
    does: async (kit) => collect((await send(kit, 'RetrieveAndGenerateStreamCommand', generation)).stream),
  },
  'a knowledge base that is missing': (kit) => failureOf(retrieve(kit, 'missing')),
  'an agent that is missing': (kit) => failureOf(agent(kit, 'missing')),
  'an error within the answer': async (kit) => failureOf(collect(await agent(kit, 'fails'))),
  'aborted before the answer': (kit) => {
    const controller = new AbortController()
    const answer = agent(kit, 'hangs', undefined, { abortSignal: controller.signal })
    setImmediate(() => controller.abort())
    return failureOf(answer)
  },
  'a flow that is missing': (kit) => failureOf(flow(kit, 'missing', [node('spring')])),
  'an error within a flow': (kit) => failureOf(flow(kit, 'fails', [node('spring')])),
  'a flow that is left early': async (kit) => {
    const input = { flowIdentifier: 'branches', flowAliasIdentifier: 'TSTALIASID', inputs: [node('spring')] }
    const { responseStream } = await send(kit, 'InvokeFlowCommand', input)
    return readUntil(responseStream, ({ flowOutputEvent }) => flowOutputEvent)
  },
  'a flow that is aborted': (kit) => {
    const controller = new AbortController()
    const input = { flowIdentifier: 'hangs', flowAliasIdentifier: 'TSTALIASID', inputs: [node('spring')] }
    const answer = send(kit, 'InvokeFlowCommand', input, { abortSignal: controller.signal })
    setImmediate(() => controller.abort())
    return failureOf(answer)
  },
  'an error while it generates': {
    since: 840,
    does: async (kit) => failureOf(collect((await generate(kit, 'fails')).stream)),
  },
  'left early while it generates': {
    since: 840,
    does: async (kit) => readUntil((await generate(kit, 'notes')).stream, ({ output }) => output),
  },
  'aborted while it generates': {
    since: 840,
    does: async (kit) => {
      const controller = new AbortController()
      const { stream } = await generate(kit, 'stalls', { abortSignal: controller.signal })
      return failureOf(
        readUntil(stream, ({ output }) => {
          if (output) controller.abort()
        }),
      )
    },
  },
  'left early': async (kit) => readUntil(await agent(kit), ({ chunk }) => chunk),
  'the reader throws': async (kit) => failReading(await agent(kit), ({ chunk }) => chunk),
  'a stream that breaks': async (kit) => breakOf(await agent(kit, 'breaks')),
  'abandoned, unread': async (kit) => typeof (await agent(kit)),
  'abandoned, half read': async (kit) => dropHalfRead(await agent(kit, 'stalls')),
  'what the server was asked': () => server.takeRequests(),
}
