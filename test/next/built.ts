import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import type { Ended } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { build, folderOf } from './app.ts'

/** The application of a file of tests, built under the preload, and its service. */
export interface Built {
  readonly service: () => Service
  /** How the build ended. */
  readonly ended: () => Ended
}

/**
 * Builds the application for the tests of one file into a folder of their own: two files may run at once.
 *
 * @param isDeployed whether it is built as for a deployment: standalone, minified, with source maps. Default false.
 */
export function useBuilt(folder: string, { isDeployed = false } = {}): Built {
  let service: Service
  let ended: Ended
  beforeAll(async () => {
    const { env, ...started } = await startService()
    service = { ...started, env: { ...env, TEST_BUILD: folder, TEST_DEPLOYED: String(isDeployed) } }
    rmSync(folderOf('app', folder), { recursive: true, force: true })
    ended = await build('app', { ...service.env, NODE_OPTIONS: '--import @svc/register' })
  }, 900_000)
  afterAll(() => service?.close())
  return { service: () => service, ended: () => ended }
}
