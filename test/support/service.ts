import { type LocalService, startLocal } from '@svc/local'
import { startModelServer } from '@svc-examples/model-server'

/** The service and a model on loopback, and the variables that point an application at both. */
export interface Service {
  readonly local: LocalService
  readonly models: Awaited<ReturnType<typeof startModelServer>>
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const [local, models] = await Promise.all([startLocal(), startModelServer()])
  return {
    local,
    models,
    env: { ...local.env, OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    close: async () => {
      await Promise.all([local.close(), models.close()])
    },
  }
}
