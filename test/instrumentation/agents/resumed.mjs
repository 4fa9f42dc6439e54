import { agent, weather } from './agent.mjs'

export const libraries = ['agents-0.20']

/** Runs until a tool needs an approval, and gives what another process needs to go on; or goes on from it. */
export async function run([exports], url, paused) {
  const { OpenAIProvider, RunState, Runner, setTraceProcessors } = exports
  setTraceProcessors([])
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1` })
  const guide = agent(exports, { tools: [weather(exports, undefined, { needsApproval: true })] })
  const runner = new Runner({ modelProvider, tracingDisabled: false, groupId: 'conversation-1' })
  if (paused === undefined) return (await runner.run(guide, 'How is the weather in Paris?')).state.toString()
  const state = await RunState.fromString(guide, paused)
  for (const waiting of state.getInterruptions()) state.approve(waiting)
  await runner.run(guide, state)
}
