import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { plain } from '../harness/plain.ts'
import { type Hostile, startHostile } from './program.ts'

// Only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let hostile: Hostile
beforeAll(async () => {
  hostile = await startHostile()
})
afterAll(() => hostile.close())

it.each(['openai', 'anthropic', 'google-genai', 'ollama', 'cohere'])(
  'for any response of a server %s behaves as without instrumentation, and each call is recorded',
  async (library) => {
    const before = hostile.service.local.count()
    const [bare, seen] = await hostile.both('answers.mjs', library)
    const answers = JSON.parse(seen.stdout) as string[]
    expect(answers.length).toBeGreaterThan(200)
    expect(plain(answers)).toEqual(plain(JSON.parse(bare.stdout)))
    expect(seen.stderr).toBe(bare.stderr)
    // Two more were answered well, for the others to be made of.
    expect(hostile.service.local.count() - before).toBe(answers.length + 2)
  },
)
