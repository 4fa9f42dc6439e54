import { describe } from 'vitest'
import { OTHER_NODES } from '../support/nodes.ts'
import { useApps } from './apps.ts'
import { copiesOn, worksOn } from './on-node.ts'

const apps = useApps()

describe.each(OTHER_NODES)('Node %s', (version) => {
  worksOn(version, apps)
  describe('two copies of the package in one process', () => copiesOn(version, apps))
})
