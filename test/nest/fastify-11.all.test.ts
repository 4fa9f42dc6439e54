import { testColumn } from './matrix.ts'

testColumn({ nest: 11, adapter: 'fastify', node: '24.21.0', preload: false })
testColumn({ nest: 11, adapter: 'fastify', node: '22.15.0', preload: true, resolvers: 'later' })
