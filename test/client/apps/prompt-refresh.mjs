// Ends while a prompt that has gone stale is fetched again in the background.
import { SvcClient } from '@svc/client'

const { prompt } = new SvcClient({ timeout: 3_600 })
await prompt.get('stale', { cacheTtlSeconds: 0 })
const { version } = await prompt.get('stale')
console.log(`version ${version}`)
