import { testColumn } from './matrix.ts'

testColumn({ nest: 12, adapter: 'express', node: '24.21.0', preload: true })
