import { expect, it } from 'vitest'
import { withoutPlaces } from '../harness/plain.ts'
import { type Hostile, startHostile } from './program.ts'

/** Libraries, and the way in which `ending.mjs` ends. */
type Ending = readonly [library: string, way: string]

/** A process that ends during a call ends as without instrumentation. */
export function checkEndings(endings: readonly Ending[]): void {
  it.each(endings)('%s: %s', async (...args) => {
    const hostile = await startHostile()
    const [bare, seen] = await Promise.all([end(hostile, args, []), end(hostile, args)])
    await hostile.close()
    expect(seen).toEqual(bare)
    expect(seen.stdout).toMatch(/exit \d/)
  })
}

/** A signal during a stream ends the process as usual, and the output received so far is delivered. */
export function checkSignals(endings: readonly Ending[]): void {
  it.each(endings)('%s: %s', async (...args) => {
    const hostile = await startHostile()
    const [bare, seen] = await Promise.all([end(hostile, args, []), end(hostile, args)])
    const [open, ...others] = hostile.service.local.observations()
    await hostile.close()
    expect(seen).toEqual(bare)
    expect(others).toEqual([])
    expect(open).toMatchObject({ type: 'GENERATION', statusMessage: 'the process ended before the result came' })
    expect(JSON.stringify(open?.output)).toContain('one word')
  })
}

/** Runs one way to end, with a SIGTERM as soon as a stream is open where that is the way. */
async function end(hostile: Hostile, args: Ending, preload?: readonly string[]) {
  const program = hostile.start(['ending.mjs', ...args], {}, preload)
  if (args[1].startsWith('signal')) {
    await program.printed(/open/)
    program.kill('SIGTERM')
  }
  const { code, signal, stdout, stderr } = await program.ended
  return { code, signal, stdout, stderr: withoutPlaces(stderr) }
}
