import { type LocalOptions, type LocalService, startLocal } from '@svc/local'
import { startModelServer } from '@svc-examples/model-server'

/** The service and a model on loopback, and the variables that point an application at both. */
export interface Service {
  readonly local: LocalService
  readonly models: Awaited<ReturnType<typeof startModelServer>>
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const [local, models] = await Promise.all([startPatient(), startModelServer()])
  return {
    local,
    models,
    env: { ...local.env, OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    close: async () => {
      await Promise.all([local.close(), models.close()])
    },
  }
}

/** The service, which is waited for as long as a busy machine may need, not for the 10 s of its own. */
export async function startPatient(options?: LocalOptions): Promise<LocalService> {
  const local = await startLocal(options)
  const { waitFor, waitForTrace, waitForScores } = local
  const wait = { timeoutMs: 100_000 }
  return Object.assign(local, {
    waitFor: (look, options) => waitFor(look, { ...wait, ...options }),
    waitForTrace: (fits, options) => waitForTrace(fits, { ...wait, ...options }),
    waitForScores: (count, options) => waitForScores(count, { ...wait, ...options }),
  } satisfies Partial<LocalService>)
}
