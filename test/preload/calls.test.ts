import { afterAll, beforeAll, describe } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { type Service, startService } from '../support/service.ts'
import { callsOn } from './on-node/calls.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('a model call', () => callsOn(THIS_NODE, () => service))
