import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { cwd } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'

/** `svc doctor` over a command, with the service and a model. */

export const SVC = fileURLToPath(new URL('../../../packages/cli/bin/svc.js', import.meta.url))

export interface Found {
  readonly id: string
  readonly severity: string
  readonly seen: string
  readonly means?: string
  readonly remedy?: string
}

/** One service for the tests of a file. */
export function useDoctor() {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  return {
    get local() {
      return service.local
    },
    get env() {
      return service.env
    },
    /** Runs `svc doctor --json -- node …args` and gives what it found. */
    async json(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
      const command = [SVC, 'doctor', '--json', '--', process.execPath, ...args]
      const { code, stdout, stderr } = await runNode(command, { cwd, env: { ...service.env, ...env } })
      const findings: Found[] = JSON.parse(stdout).findings
      return { code, stderr, findings, names: findings.map(({ id, severity }) => `${severity} ${id}`) }
    },
  }
}
