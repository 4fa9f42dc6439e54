import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { holdingProcess } from '@svc/core/hold'
import { describe, expect, it, vi } from 'vitest'
import { type Intake, startIntake } from '../test/support/intake.ts'
import { startRawServer } from '../test/support/raw-server.ts'

const PROGRAM = fileURLToPath(new URL('../test/processes/ends.mjs', import.meta.url))

async function run(url: string, ...flags: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...flags], {
    env: { ...process.env, SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

const names = (intake: Intake) => intake.spans.map(({ name }) => name)

describe('the end of a process', () => {
  it('is held while work is pending, and no longer than the limit', async () => {
    vi.useFakeTimers()
    const done = holdingProcess(Promise.resolve(), 100)
    expect(vi.getTimerCount()).toBe(1)
    await done
    expect(vi.getTimerCount()).toBe(0)
    void holdingProcess(new Promise(() => {}), 100)
    vi.advanceTimersByTime(100)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('an intake that hangs does not delay it', async () => {
    await using server = await startRawServer(() => {})
    const started = performance.now()
    expect(await run(server.url)).toEqual({ code: 0, output: '' })
    // The timeout of the export is a minute.
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  it('waits for a flush that somebody waits for', async () => {
    await using intake = await startIntake()
    expect(await run(intake.url, '--flush')).toEqual({ code: 0, output: 'flushed\n' })
    expect(names(intake)).toEqual(['last'])
  })

  it('comes in spite of a flush at each of its beginnings', async () => {
    await using intake = await startIntake()
    expect(await run(intake.url, '--before-exit')).toEqual({ code: 0, output: '' })
    expect(names(intake)).toEqual(['last'])
  })

  it('does not wait for a flush of an owner who holds the process in his own way', async () => {
    await using server = await startRawServer(() => {})
    expect(await run(server.url, '--flush', '--no-hold')).toEqual({ code: 0, output: '' })
  })
})
