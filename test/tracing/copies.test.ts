import { describe } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { useApps } from './apps.ts'
import { copiesOn } from './on-node.ts'

const apps = useApps()

describe('two copies of the package in one process', () => copiesOn(THIS_NODE, apps))
