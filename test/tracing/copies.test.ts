import { THIS_NODE } from '../support/nodes.ts'
import { useApps } from './apps.ts'
import { copiesOn } from './on-node.ts'

copiesOn(THIS_NODE, useApps())
