import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { type Ended, runNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'

export const SVC = fileURLToPath(new URL('../../../packages/cli/bin/svc.js', import.meta.url))
export const AGENT = fileURLToPath(new URL('./replayed-agent.mjs', import.meta.url))
export const RUDE = 'Be rude.'
export const command = ['--', process.execPath, AGENT, '2']

/** A run of the agent that was recorded for a file of tests, in a folder with `trace.json`, and `rude.txt`: a prompt. */
export class Recorded {
  readonly cwd = mkdtempSync(join(tmpdir(), 'svc-replay-'))
  /** What the agent printed. */
  readonly printed: string
  /** The id of the trace, and those of its calls by their starts. */
  readonly trace: string
  readonly calls: readonly string[]
  readonly service: Service

  constructor(service: Service, printed: string) {
    const spans = service.local.spans().filter(({ name }) => name.startsWith('chat '))
    this.service = service
    this.printed = printed
    this.trace = spans[0]?.traceId ?? ''
    this.calls = spans
      .toSorted((one, other) => Number(one.startTimeUnixNano) - Number(other.startTimeUnixNano))
      .map(({ spanId }) => spanId)
  }

  options(env: Readonly<Record<string, string>> = {}) {
    return { cwd: this.cwd, env: { ...this.service.env, PATH: process.env.PATH, ...env } }
  }

  replay(args: readonly string[], env = {}): Promise<Ended> {
    return runNode([SVC, 'replay', ...args], this.options(env))
  }

  /** The system prompts of what the model was asked meanwhile. */
  async asked(act: () => Promise<unknown>): Promise<unknown[]> {
    const requests = () => this.service.models.requests()
    const before = requests().length
    await act()
    return requests()
      .slice(before)
      .map(({ body }) => (body as { messages: [{ content: string }] }).messages[0].content)
  }
}

export function useRecorded(): () => Recorded {
  let recorded: Recorded
  beforeAll(async () => {
    const service = await startService()
    const { stdout } = await runNode([SVC, 'run', ...command], { env: { ...service.env, PATH: process.env.PATH } })
    recorded = new Recorded(service, stdout)
    const exported = await runNode([SVC, 'traces', 'export', recorded.trace.slice(0, 12)], recorded.options())
    writeFileSync(join(recorded.cwd, 'trace.json'), exported.stdout)
    writeFileSync(join(recorded.cwd, 'rude.txt'), `${RUDE}\n`)
  })
  afterAll(async () => {
    await recorded.service.close()
    rmSync(recorded.cwd, { recursive: true })
  })
  return () => recorded
}
