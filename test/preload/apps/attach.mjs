// Asks for a pipeline where one runs already.
import { start } from '@svc/register/start'

const running = start({ owner: 'the application', environment: 'attached' })
console.log(`owner: ${running?.owner}`)
await import('./chat.mjs')
