import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runNode, startNode } from '../support/run.ts'

const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))

// The shape that issue trackers and scripts may rely on, in this order.
const TRACE = ['traceId', 'name', 'userId', 'sessionId', 'public', 'tags', 'environment', 'observations']
const OBSERVATION = [
  ...['id', 'parentId', 'type', 'name', 'level', 'model'],
  ...['input', 'output', 'usage', 'startTime', 'endTime', 'metadata'],
]

interface Printed {
  readonly observations: readonly { id: string; parentId: string | null; type: string; name: string }[]
}

/** A trace as nested literals. An observation whose parent is missing is in none of them. */
function tree({ observations }: Printed, parent: string | null = null): object[] {
  return observations
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, type, name }) => ({ [`${type} ${name}`]: tree({ observations }, id) }))
}

describe('npm start', () => {
  it('--once --json prints one JSON object for each trace and nothing else', async () => {
    const { code, stdout, stderr } = await runNode([demo, '--once', '--json'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const traces = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const call = { 'GENERATION chat gpt-4.1-mini': [] }
    expect(traces.map((trace) => tree(trace))).toEqual([
      [{ 'SPAN POST /chat': [call] }],
      [{ 'SPAN POST /stream': [call] }],
      [{ 'SPAN POST /tools': [call, call] }],
    ])
    expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(3)
    for (const trace of traces) {
      expect(Object.keys(trace)).toEqual(TRACE)
      for (const observation of trace.observations) expect(Object.keys(observation)).toEqual(OBSERVATION)
    }
    expect(traces[0]).toMatchObject({ userId: null, sessionId: null, public: false, tags: [], environment: 'default' })
    expect(traces[0].observations[1]).toMatchObject({
      level: 'DEFAULT',
      model: expect.stringMatching(/^gpt-4.1-mini/),
      usage: { input: expect.any(Number), output: expect.any(Number) },
      startTime: expect.stringMatching(/Z$/),
      endTime: expect.stringMatching(/Z$/),
    })
    expect(JSON.stringify(traces[0].observations[1].input)).toContain('Who was Ada Lovelace?')
    expect(JSON.stringify(traces[0].observations[1].output)).toContain('Ada Lovelace')
  })

  it('runs until a signal, ends the app with it, and exits with 0', async () => {
    const running = startNode([demo])
    await running.printed(/Ctrl-C ends it/)
    running.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/to click through: http:\/\/127\.0\.0\.1:\d+/)
  })
})
