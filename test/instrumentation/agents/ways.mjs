import { startActiveObservation } from '@svc/tracing'
import { collect, QUESTION } from '../harness/kit.mjs'
import { ABOUT_PARIS, agent, connect, run, weather } from './agent.mjs'

/** A model of the application's own whose provider calls a tool itself. */
const modelWithHostedTool = ({ Usage, withResponseSpan }) => ({
  getResponse: ({ input }) =>
    withResponseSpan(async ({ spanData }) => {
      const about = { id: 'mcp_1', name: 'look_up', arguments: '{"city":"Paris"}', output: 'sunny' }
      const replyText = { type: 'message', role: 'assistant', status: 'completed', content: [] }
      replyText.content.push({ type: 'output_text', text: 'Sunny.' })
      const answer = {
        id: 'own',
        model: 'own-model',
        status: 'completed',
        output: [{ type: 'mcp_call', ...about }, replyText],
      }
      Object.assign(spanData, { _input: input, _response: answer })
      const usage = new Usage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 })
      return { usage, output: [{ type: 'hosted_tool_call', ...about }, replyText] }
    }),
})

export const ways = {
  'a handoff': (kit) => {
    const expert = agent(kit.exports, { name: 'Expert', handoffDescription: 'Knows the weather' })
    return run(kit, agent(kit.exports, { handoffs: [expert] }), ABOUT_PARIS)
  },
  'streamed tools': async ({ client: { runner, received }, exports }) => {
    const look = ({ city }) => startActiveObservation(`look up ${city}`, () => `sunny in ${city}`)
    const result = await runner.run(agent(exports, { tools: [weather(exports, look)] }), ABOUT_PARIS, { stream: true })
    await collect(result)
    await result.completed
    return [result.finalOutput, received]
  },
  'an approval': async (kit) => {
    const { runner, received } = connect(kit, { groupId: 'conversation-3' })
    const guide = agent(kit.exports, { tools: [weather(kit.exports, undefined, { needsApproval: true })] })
    const first = await runner.run(guide, ABOUT_PARIS)
    const [waiting] = first.interruptions
    first.state.approve(waiting)
    const second = await runner.run(guide, first.state)
    return [waiting.rawItem.name, first.finalOutput, second.finalOutput, received]
  },
  'a session': {
    since: 0.2,
    does: async (kit) => {
      const { runner } = connect(kit, { groupId: 'conversation-2' })
      const session = new kit.exports.MemorySession({ sessionId: 'session-1' })
      const first = await runner.run(agent(kit.exports), QUESTION, { session })
      const second = await runner.run(agent(kit.exports), 'And again?', { session })
      return [first.finalOutput, second.finalOutput, (await session.getItems()).length]
    },
  },
  'a hosted tool': (kit) => run(kit, agent(kit.exports, { model: modelWithHostedTool(kit.exports) })),
}
