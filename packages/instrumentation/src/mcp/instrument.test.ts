import { afterEach, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { instrument as instrumentMcp } from '../instrument.ts'

class Client {
  async callTool(called: { name: string; arguments?: unknown }): Promise<unknown> {
    const weather = called.name === 'long' ? 'sunny '.repeat(100_000) : 'sunny'
    if (called.name === 'refused') {
      const text = `Wrong key sk-0123456789. ${'sunny '.repeat(1_000)}`
      return { content: [{ type: 'text', text }], isError: true }
    }
    return { content: [{ type: 'text', text: weather }], isError: called.name === 'broken' }
  }
}

recordSpans()
beforeEach(() => {
  forgetSpans()
  instrumentMcp({ Client })
})
afterEach(() => configure({}))

const CONTENT = ['svc.observation.input', 'svc.observation.output']

it('an MCP call without content has its name, and no arguments or result', async () => {
  configure({ captureContent: false })
  await new Client().callTool({ name: 'weather', arguments: { city: 'Paris' } })
  const [span] = finishedSpans()
  expect(span?.name).toBe('execute_tool weather')
  expect(Object.keys(span?.attributes ?? {}).filter((name) => CONTENT.includes(name))).toEqual([])
})

it('a failed MCP tool without content is an error without its text', async () => {
  configure({ captureContent: false })
  await new Client().callTool({ name: 'broken' })
  expect(finishedSpans()[0]?.status).toEqual({ code: 2, message: 'the tool failed' })
})

it('the error text of a failed MCP tool is bounded and contains no key', async () => {
  await new Client().callTool({ name: 'refused' })
  const { message = '' } = finishedSpans()[0]?.status ?? {}
  expect(message).toMatch(/^Wrong key \(hidden\)\. sunny/)
  expect(message.length).toBeLessThan(2_000)
})

it('a large MCP result is truncated, with a note', async () => {
  configure({ contentMaxBytes: 1_000 })
  const result = await new Client().callTool({ name: 'long', arguments: { text: 'sunny '.repeat(100_000) } })
  expect(JSON.stringify(result).length).toBeGreaterThan(600_000)
  for (const name of CONTENT) {
    const text = String(finishedSpans()[0]?.attributes[name])
    expect(text.length).toBeLessThan(1_500)
    expect(text).toMatch(/left out|truncated|more/)
  }
})
