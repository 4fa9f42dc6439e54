import { testColumn } from './matrix.ts'

testColumn({ nest: 12, adapter: 'express', node: '22.15.0', preload: false, resolvers: 'together' })
testColumn({ nest: 12, adapter: 'fastify', node: '24.21.0', preload: true })
testColumn({ nest: 12, adapter: 'fastify', node: '22.15.0', preload: true })
testColumn({ nest: 11, adapter: 'express', node: '24.21.0', preload: true })
testColumn({ nest: 11, adapter: 'express', node: '22.15.0', preload: true })
testColumn({ nest: 11, adapter: 'fastify', node: '24.21.0', preload: false })
testColumn({ nest: 11, adapter: 'fastify', node: '22.15.0', preload: true, resolvers: 'later' })
