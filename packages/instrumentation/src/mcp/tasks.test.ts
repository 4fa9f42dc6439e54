import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { wrappers } from './instrument.ts'
import { patchMcp } from './patch.ts'

recordSpans()
beforeEach(forgetSpans)

/** A client of a server with these answers, one after the other. */
function clientOf(...answers: unknown[]) {
  const answer = async (): Promise<unknown> => {
    const next = answers.shift()
    if (next instanceof Error) throw next
    return next
  }
  const request = wrappers.request(answer)
  return (method: string, params: object): unknown => request.call({}, { method, params })
}

const ADAPTER = '@modelcontextprotocol/ext-tasks/dist/client/sdk-client-adapter.js'
/** The SDK's extension, as the tests of the library have it installed. */
const extension = await import(
  new URL(`../../../../test/instrumentation/mcp/node_modules/${ADAPTER}`, import.meta.url).href
)
patchMcp(extension)

/** A port of the extension, which sends requests by what the application gives it: it has these answers. */
function portOf(...answers: unknown[]) {
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  const client = { getServerCapabilities: () => ({ extensions }), getProtocolEra: () => 'modern' }
  const v2RequestFraming = { protocolVersion: '2026-07-28', clientInfo: {}, clientCapabilities: { extensions } }
  const rawDispatch = async () => answers.shift()
  return extension.createSessionPortFromClient(client, 'places', { rawDispatch, v2RequestFraming })
}

/** A client that is told something. */
function clientThatIsTold(notification: object): void {
  class Client {
    _onnotification(_: object) {}
  }
  patchMcp({ Client })
  new Client()._onnotification(notification)
}

let number = 0
/** How the tool's call ends, of which a client asks for the task with these answers. */
async function endOf(...asked: readonly (readonly [string, unknown])[]) {
  const taskId = `task ${number++}`
  const ask = clientOf({ task: { taskId, status: 'working' } }, ...asked.map(([, answer]) => answer))
  await ask('tools/call', { name: 'weather', arguments: {} })
  for (const [method] of asked) await Promise.resolve(ask(method, { taskId })).catch(() => {})
  return toolEnd()
}

function toolEnd() {
  const [tool] = finishedSpans().filter(({ name }) => name === 'execute_tool weather')
  if (!tool) return undefined
  const { 'svc.observation.output': output, 'svc.observation.status_message': told } = tool.attributes
  return { status: tool.status.message ?? told, ...(output === undefined ? {} : { output }) }
}

const RESULT = { content: [{ type: 'text', text: 'sunny' }] }
const SUNNY = { status: undefined, output: '[{"type":"text","text":"sunny"}]' }

it.each<[string, (readonly [string, unknown])[], unknown]>([
  ['is open while it works', [['tasks/get', { status: 'input_required' }]], undefined],
  ['is open until its result is asked for', [['tasks/get', { status: 'completed' }]], undefined],
  ['ends with its result', [['tasks/result', RESULT]], SUNNY],
  ['ends with a result that its state has', [['tasks/get', { status: 'completed', result: RESULT }]], SUNNY],
  ['fails as it says', [['tasks/get', { status: 'failed', statusMessage: 'no sun' }]], { status: 'no sun' }],
  [
    'fails as its result does',
    [['tasks/result', Object.assign(new Error('no sun'), { code: -32_603 })]],
    { status: 'no sun' },
  ],
  ['is cancelled', [['tasks/cancel', { status: 'cancelled' }]], { status: 'cancelled by the caller' }],
  [
    'is open where asking fails',
    [['tasks/result', Object.assign(new Error('too late'), { code: -32_001 })]],
    undefined,
  ],
  [
    'is open where the other side is gone',
    [['tasks/result', Object.assign(new Error('gone'), { code: 'GONE' })]],
    undefined,
  ],
])('the call of a tool whose task goes on %s', async (_, asked, end) => {
  expect(await endOf(...asked)).toEqual(end)
})

it.each([
  ['notifications/tasks/status', { status: 'failed', statusMessage: 'no sun' }, { status: 'no sun' }],
  ['notifications/tasks', { status: 'failed', error: { code: -32_603, message: 'no sun' } }, { status: 'no sun' }],
  ['notifications/tasks', { status: 'completed', result: RESULT }, SUNNY],
  ['notifications/tasks/status', { status: 'cancelled' }, { status: 'cancelled by the caller' }],
  ['notifications/tasks/status', { status: 'completed' }, undefined],
  ['notifications/tasks/status', { status: 'failed' }, undefined],
])('the call of a tool ends as %s says of its task: %o', async (method, state, end) => {
  const taskId = `task ${number++}`
  await clientOf({ task: { taskId, status: 'working' } })('tools/call', { name: 'weather', arguments: {} })
  clientThatIsTold({ method, params: { taskId, ...state } })
  expect(toolEnd()).toEqual(end)
})

it.each([
  ['its result', { kind: 'result', result: { status: 'completed', result: RESULT } }, SUNNY],
  ['its error', { kind: 'result', result: { status: 'failed', error: { message: 'no sun' } } }, { status: 'no sun' }],
  ['not, where asking fails', { kind: 'error', error: { code: -32_602, message: 'unknown' } }, undefined],
])('the task of a tool that is called past the client ends with %s', async (_, answer, end) => {
  const taskId = `task ${number++}`
  const created = { kind: 'result', result: { resultType: 'task', taskId, status: 'working' } }
  const port = portOf(created, answer)
  expect(await port.dispatch({ method: 'tools/call', params: { name: 'weather', arguments: {} } })).toBe(created)
  expect(finishedSpans()).toEqual([])
  expect(await port.dispatch({ method: 'tasks/get', params: { taskId } })).toBe(answer)
  expect(toolEnd()).toEqual(end)
})

it('a tool that is called past the client and is refused has failed, and the application gets the refusal', async () => {
  const refused = { kind: 'error', error: { code: -32_602, message: 'no such tool' } }
  const asked = portOf(refused).dispatch({ method: 'tools/call', params: { name: 'weather', arguments: {} } })
  expect(await asked).toBe(refused)
  expect(toolEnd()).toEqual({ status: 'no such tool' })
})
