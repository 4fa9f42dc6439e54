import type { FindKeys } from '../../http/auth.ts'
import type { Store } from '../../store/store.ts'
import { PROJECT } from '../about.ts'

/** The keys that were made with the API. Those of other projects are known, and get nothing: all data is of one. */
export function findKeys(publicKey: string, { apiKeys }: Store): ReturnType<FindKeys> {
  const row = apiKeys.one({ publicKey })
  return row && { secretHash: row.secretHash, accepted: row.projectId === PROJECT.id }
}
