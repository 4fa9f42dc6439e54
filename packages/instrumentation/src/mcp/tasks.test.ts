import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { wrappers } from './instrument.ts'

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

let number = 0
/** How the tool's call ends, of which a client asks for the task with these answers. */
async function endOf(...asked: readonly (readonly [string, unknown])[]) {
  const taskId = `task ${number++}`
  const ask = clientOf({ task: { taskId, status: 'working' } }, ...asked.map(([, answer]) => answer))
  await ask('tools/call', { name: 'weather', arguments: {} })
  for (const [method] of asked) await Promise.resolve(ask(method, { taskId })).catch(() => {})
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
