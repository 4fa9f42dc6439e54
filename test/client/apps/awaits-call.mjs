// Waits for one call of the API as its last line, and prints what it came to.
import { SvcClient } from '@svc/client'

try {
  const { data } = await new SvcClient().api.projects.get({}, { maxRetries: 0 })
  console.log(`projects: ${data.length}`)
} catch (error) {
  console.log(error.message)
}
