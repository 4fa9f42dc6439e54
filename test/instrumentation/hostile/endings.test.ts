import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutPlaces } from '../harness/plain.ts'
import { type Hostile, startHostile } from './program.ts'

let hostile: Hostile
beforeAll(async () => {
  hostile = await startHostile()
})
afterAll(() => hostile.close())

/** Runs one way to end, with a SIGTERM as soon as a stream is open where that is the way. */
async function end(args: readonly string[], preload?: readonly string[]) {
  const program = hostile.start(['ending.mjs', ...args], {}, preload)
  if (args[1]?.startsWith('signal')) {
    await program.printed(/open/)
    program.kill('SIGTERM')
  }
  const { code, signal, stdout, stderr } = await program.ended
  return { code, signal, stdout, stderr: withoutPlaces(stderr) }
}

describe('a process that ends during a call ends as without instrumentation', () => {
  it.each([
    ['openai', 'exit after an answer'],
    ['openai', 'exit in a loop'],
    ['openai', 'exit with a stream just made'],
    ['openai', 'exit with a call just made'],
    ['openai', 'throw out of a loop'],
    ['openai', 'reject in a loop'],
    ['openai', 'reject of a call'],
    ['openai', 'throw in a loop'],
    ['google-genai', 'throw in a loop'],
    ['bedrock', 'throw in a loop'],
    ['langchain', 'throw in a loop'],
  ])('%s: %s', async (...args) => {
    const [bare, seen] = await Promise.all([end(args, []), end(args)])
    expect(seen).toEqual(bare)
    expect(seen.stdout).toMatch(/exit \d/)
  })
})

describe('a signal during a stream ends the process as usual, and the output received so far is delivered', () => {
  it.each([
    ['openai', 'signal in a loop, handled'],
    ['openai', 'signal in a loop'],
    ['anthropic', 'signal in a loop'],
    ['google-genai', 'signal in a loop'],
    ['ollama', 'signal in a loop'],
    ['cohere', 'signal in a loop'],
    ['mistral', 'signal in a loop'],
    ['bedrock', 'signal in a loop'],
    ['langchain', 'signal in a loop'],
  ])('%s: %s', async (...args) => {
    const before = hostile.service.local.count()
    const [bare, seen] = await Promise.all([end(args, []), end(args)])
    expect(seen).toEqual(bare)
    const [open, ...others] = hostile.service.local.observations().slice(before)
    expect(others).toEqual([])
    expect(open).toMatchObject({ type: 'GENERATION', statusMessage: 'the process ended before the result came' })
    expect(JSON.stringify(open?.output)).toContain('one word')
  })
})
