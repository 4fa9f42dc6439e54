import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { reportedLosses } from '../../packages/otel/test/support/health.ts'
import { type Intake, startIntake } from '../../packages/otel/test/support/intake.ts'
import { startRawServer } from '../../packages/otel/test/support/raw-server.ts'

const PROGRAM = fileURLToPath(new URL('./processes/ends.mjs', import.meta.url))

async function run(url: string, ...flags: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...flags], {
    env: { ...process.env, SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It may be alive where a test has failed.
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

const names = (intake: Intake) => intake.spans.map(({ name }) => name)

describe('the end of a process', () => {
  it('is not delayed by a hanging service, and the loss is reported', async () => {
    await using server = await startRawServer(() => {})
    // The timeout of the export is longer than that of the test.
    expect(await run(server.url)).toEqual({ code: 0, output: '', errors: expect.stringContaining('1 span is lost.') })
  })

  it('waits for an awaited flush', async () => {
    await using intake = await startIntake()
    expect(await run(intake.url, '--flush')).toEqual({ code: 0, output: 'flushed\n', errors: '' })
    expect(names(intake)).toEqual(['last'])
  })

  it('reports all losses, also if no further ones follow', async () => {
    await using intake = await startIntake()
    const { code, output, errors } = await run(intake.url, '--many')
    expect(code).toBe(0)
    expect(Number(output)).toBeGreaterThan(500)
    expect(reportedLosses(errors.split('\n'))).toBe(Number(output))
  })

  it('happens even if each beforeExit event starts a flush', async () => {
    await using intake = await startIntake()
    expect(await run(intake.url, '--before-exit')).toEqual({ code: 0, output: '', errors: '' })
    expect(names(intake)).toEqual(['last'])
  })
})
