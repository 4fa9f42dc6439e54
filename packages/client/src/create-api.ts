import { bind, type SvcApi } from './api/bind.ts'
import { ENDPOINTS } from './api/endpoints.ts'
import { settingsOf } from './client-settings.ts'
import { connection } from './connect.ts'
import type { SvcClientOptions } from './options.ts'

/**
 * Creates the `api` of `SvcClient` alone, for programs that call endpoints and want to load little code.
 *
 * @example
 * const api = createApi()
 * for await (const { name } of api.datasets.list()) console.log(name)
 */
export function createApi(options: SvcClientOptions = {}): SvcApi {
  return bind(ENDPOINTS, connection(settingsOf(options)))
}
