import { SvcClient } from '@svc/client'

let instance: SvcClient | undefined

/** One client for all. */
export function getClient(): SvcClient {
  instance ??= new SvcClient()
  return instance
}

export const lazy = async () => {
  const { SvcClient: Client } = await import('@svc/client')
  return new Client()
}

export default new SvcClient()
export { SvcClient as Observability } from '@svc/client'
export const clients = { eu: new SvcClient(), us: new SvcClient() }
