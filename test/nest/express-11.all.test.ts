import { testColumn } from './matrix.ts'

testColumn({ nest: 11, adapter: 'express', node: '24.21.0', preload: true })
testColumn({ nest: 11, adapter: 'express', node: '22.15.0', preload: true })
