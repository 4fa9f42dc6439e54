import '@svc/register'
import { startActiveObservation } from '@svc/tracing'
import { ask } from '../ask.mjs'

export default (_request, { params: { user } }) =>
  startActiveObservation('GET /users/:user', async () => Response.json(await ask(user)))

export const config = { path: '/users/:user' }
