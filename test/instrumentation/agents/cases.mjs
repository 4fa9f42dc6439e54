import { createRequire } from 'node:module'
import { startActiveObservation } from '@svc/tracing'
import { collect, errorOf, fiftyAtOnce, QUESTION, SCHEMA } from '../harness/kit.mjs'
import { ABOUT_PARIS, agent, connect, recorder, run, weather } from './agent.mjs'
import { endings } from './endings.mjs'
import { ways } from './ways.mjs'

export { connect } from './agent.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

/** A model of the application's own, with no client behind it. */
function ownModel({ Usage, withGenerationSpan, withResponseSpan }) {
  const output = [{ type: 'message', role: 'assistant', status: 'completed', content: [replyText('As you like it.')] }]
  const usage = { input_tokens: 12, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } }
  const answer = { usage: new Usage({ inputTokens: 12, outputTokens: 5, totalTokens: 17 }), output }
  return {
    getResponse: ({ input, modelSettings, systemInstructions }) =>
      modelSettings.temperature === undefined
        ? withResponseSpan(async ({ spanData }) => {
            spanData._input = input
            spanData._response = { id: 'own', model: 'own-model', status: 'completed', output, usage }
            return answer
          })
        : withGenerationSpan(async ({ spanData }) => {
            const messages = [{ role: 'system', content: systemInstructions }, ...input]
            Object.assign(spanData, { model: 'own-model', model_config: modelSettings, input: messages, output, usage })
            return answer
          }),
  }
}
const replyText = (text) => ({ type: 'output_text', text })

export const cases = {
  plain: (kit) => run(kit, agent(kit.exports, { modelSettings: { temperature: 0.5 } })),
  streamed: async ({ client: { runner, received }, exports }) => {
    const result = await runner.run(agent(exports), QUESTION, { stream: true })
    const events = await collect(result)
    await result.completed
    return { finalOutput: result.finalOutput, events: events.map(({ type }) => type), received }
  },
  tools: (kit) => {
    const look = ({ city }) => startActiveObservation(`look up ${city}`, () => `sunny in ${city}`)
    return run(kit, agent(kit.exports, { tools: [weather(kit.exports, look)] }), ABOUT_PARIS)
  },
  'a tool that fails': (kit) => {
    const fail = () => Promise.reject(new Error('no such city'))
    return run(kit, agent(kit.exports, { tools: [weather(kit.exports, fail)] }), ABOUT_PARIS)
  },
  'an agent as a tool': (kit) => {
    const expert = agent(kit.exports, { name: 'Expert' })
    const execute = async ({ city }) => (await kit.client.runner.run(expert, `What is ${city}?`)).finalOutput
    return run(kit, agent(kit.exports, { tools: [weather(kit.exports, execute)] }), ABOUT_PARIS)
  },
  'chat completions': async (kit) => {
    const client = connect(kit, { useResponses: false })
    return run({ client }, agent(kit.exports, { tools: [weather(kit.exports)] }), ABOUT_PARIS)
  },
  'streamed chat completions': async (kit) => {
    const { runner, received } = connect(kit, { useResponses: false })
    const result = await runner.run(agent(kit.exports), QUESTION, { stream: true })
    await collect(result)
    return { finalOutput: result.finalOutput, received }
  },
  'structured output': (kit) => {
    const outputType = { type: 'json_schema', name: 'place', strict: true, schema: SCHEMA }
    return run(kit, agent(kit.exports, { outputType }))
  },
  'a guardrail': (kit) => {
    const execute = async ({ agentOutput }) => ({ outputInfo: {}, tripwireTriggered: /span/.test(agentOutput) })
    const outputGuardrails = [{ name: 'no spans', execute }]
    return errorOf(run(kit, agent(kit.exports, { outputGuardrails }))).then(({ class: name, message }) => [
      name,
      message,
    ])
  },
  'a model of its own': (kit) => run(kit, agent(kit.exports, { model: ownModel(kit.exports) })),
  'a model of its own, with messages': (kit) =>
    run(kit, agent(kit.exports, { model: ownModel(kit.exports), modelSettings: { temperature: 0.5 } }), [
      { role: 'user', content: QUESTION },
    ]),
  'two runs in a trace': (kit) =>
    kit.exports.withTrace(
      'Two questions',
      async () => [await run(kit, agent(kit.exports)), (await run(kit, agent(kit.exports))).finalOutput],
      { groupId: 'conversation-1', metadata: { tenant: 'acme' } },
    ),
  'tracing switched off': async (kit) => {
    const client = connect(kit, { tracingDisabled: true })
    return run({ client }, agent(kit.exports))
  },
  'a processor that is added': async (kit) => {
    const other = recorder()
    kit.exports.addTraceProcessor(other)
    const { received } = await run(kit, agent(kit.exports))
    return [received, other.events]
  },
  ...ways,
  ...endings,
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => (await run(kit, agent(kit.exports), `Question ${number}?`)).finalOutput),
}
