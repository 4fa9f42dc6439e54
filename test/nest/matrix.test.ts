import { THIS_NODE } from '../support/nodes.ts'
import { testColumn } from './matrix.ts'

testColumn({ nest: 12, adapter: 'express', node: THIS_NODE, preload: true })
