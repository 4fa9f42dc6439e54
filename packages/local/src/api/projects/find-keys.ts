import { DEFAULT_KEYS } from '../../address.ts'
import { type FindKeys, hashOf, isKnown } from '../../http/auth.ts'
import type { Store } from '../../store/store.ts'
import { PROJECT } from '../about.ts'

const KNOWN_HASHES = Object.values(DEFAULT_KEYS).map(hashOf)

/**
 * The keys that were made with the API. Those of other projects are known, and get nothing: all data is of one.
 *
 * @param nearby only this machine reaches the service. Elsewhere a database may not bring keys that everybody knows.
 */
export function findKeys(publicKey: string, { apiKeys }: Store, nearby: boolean): ReturnType<FindKeys> {
  const row = apiKeys.one({ publicKey })
  if (!row || (!nearby && (isKnown(publicKey) || KNOWN_HASHES.includes(row.secretHash)))) return undefined
  return { secretHash: row.secretHash, accepted: row.projectId === PROJECT.id }
}
