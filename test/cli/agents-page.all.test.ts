import { readFileSync, writeFileSync } from 'node:fs'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attributes } from '../../packages/local/test/support/attributes.ts'
import { otlpJson, post } from '../../packages/local/test/support/sdk.ts'
import { runSvc } from './support/svc.ts'

const PAGE = new URL('../../docs/agents.md', import.meta.url)

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
  const spans = [...chat('4bf92f35', '10:00', 'refund'), ...chat('7c01a2e9', '10:20', 'refund policy')]
  await post(local, otlpJson(spans, { name: 'svc-sdk', version: '6.0.0' }), { 'content-type': 'application/json' })
})
afterAll(() => local.close())

/** A question to an agent, which searches for words: for one alone, the search has no answer in time. */
function chat(id: string, time: string, words: string): object[] {
  const at = (ms: number) => `${Date.parse(`2026-11-27T${time}:00Z`) + ms}000000`
  const isFound = words.includes(' ')
  const searchMs = isFound ? 300 : 5_000
  const idOf = (name: string) => Buffer.from(name).toString('hex').padEnd(16, '0')
  const span = (type: string, name: string, [from, to]: readonly [number, number], values = {}, more = {}) => ({
    ...{ traceId: id.padEnd(32, '0'), spanId: idOf(name), name, startTimeUnixNano: at(from), endTimeUnixNano: at(to) },
    ...(type !== 'agent' && { parentSpanId: idOf('ask') }),
    attributes: attributes({ 'svc.observation.type': type, ...values }),
    ...more,
  })
  const call = (messages: readonly object[], content: string, tokens: number) => ({
    'svc.observation.model.name': 'gpt-5-mini',
    'svc.observation.usage_details': JSON.stringify({ input: tokens, output: 20 }),
    'svc.observation.cost_details': JSON.stringify({ total: 0.0001 }),
    'svc.observation.input': JSON.stringify(messages),
    'svc.observation.output': JSON.stringify({ role: 'assistant', content }),
  })
  const asked = [
    { role: 'system', content: 'Search the pages of the shop, then answer.' },
    { role: 'user', content: 'Can I return shoes?' },
  ]
  const told = [...asked, { role: 'tool', content: isFound ? 'Shoes can be returned for 30 days.' : 'no answer' }]
  return [
    span('agent', 'ask', [0, searchMs + 1_500], { 'user.id': 'ada' }),
    span('generation', 'plan', [0, 600], call(asked, `search: ${words}`, 210)),
    span(
      'tool',
      'search',
      [600, 600 + searchMs],
      { 'svc.observation.input': JSON.stringify({ query: words }) },
      isFound ? {} : { status: { code: 2, message: 'no answer after 5000 ms' } },
    ),
    span(
      'generation',
      'answer',
      [600 + searchMs, 1_500 + searchMs],
      call(told, isFound ? 'Yes, for 30 days.' : 'I do not know.', isFound ? 260 : 250),
    ),
  ]
}

/** With `--update` the session is recorded anew. */
const isUpdate = () => Reflect.get(expect.getState().snapshotState, '_updateSnapshot') === 'all'

it('docs/agents.md shows a session as it is', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const [, session = ''] = /^````\n(.*?)^````$/ms.exec(page) ?? []
  const commands = [...session.matchAll(/^\$ npx @svc\/cli (.*)$/gm)].map(([, command = '']) => command)
  expect(commands).toHaveLength(2)
  let now = ''
  for (const command of commands) {
    const { stdout } = await runSvc(command.split(' '), { env: local.env })
    now += `$ npx @svc/cli ${command}\n${stdout.trimEnd()}\n${command === commands.at(-1) ? '' : '\n'}`
  }
  if (isUpdate())
    writeFileSync(
      PAGE,
      page.replace(session, () => now),
    )
  else expect(session).toBe(now)
})

it('docs/agents.md names the fields of every line that --json prints', async () => {
  const [, schema = ''] = /^(With `--json`, .*?)\n\n/ms.exec(readFileSync(PAGE, 'utf8')) ?? []
  const documented = [...schema.matchAll(/\{ ([^}]*) \}/g)].map(([, names = '']) => names.split(/,\s+/).sort().join())
  const withOutput = [...documented, 'observationId,output']
  for (const question of [
    ['list'],
    ['show', '4bf92f35'],
    ['errors'],
    ['diff', '4bf92f35', '7c01a2e9'],
    ['diff', '4bf92f35', '--prompt'],
    ['stats'],
  ]) {
    const since = question[0] === 'errors' || question[0] === 'stats' ? ['--since', '2026-11-27'] : []
    const { stdout } = await runSvc(['traces', ...question, ...since, '--json'], { env: local.env })
    const lines = stdout.trim().split('\n')
    const fields = lines.map((line) => Object.keys(JSON.parse(line)).sort().join())
    expect(lines.length, question.join(' ')).toBeGreaterThan(0)
    expect(fields.filter((each) => !withOutput.includes(each))).toEqual([])
  }
})
