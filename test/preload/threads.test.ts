import { afterAll, beforeAll, describe } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { type Service, startService } from '../support/service.ts'
import { threadsOn } from './on-node/threads.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('in a worker thread', () => threadsOn(THIS_NODE, () => service))
