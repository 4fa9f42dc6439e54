import { environmentOf } from '@svc/core/environment'
import type { HostRuntime } from '@svc/core/runtime'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { describe, expect, it } from 'vitest'
import { type Compression, compressionFor } from './compression.ts'

const NODE = { node: true, compressionStream: true }
const EDGE = { node: false, compressionStream: true }
const OLD_EDGE = { node: false, compressionStream: false }
const SVC = 'SVC_OTEL_COMPRESSION'
const TRACES = 'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION'
const GENERAL = 'OTEL_EXPORTER_OTLP_COMPRESSION'

function decided(option: string | undefined, variables: Record<string, string>, runtime: HostRuntime) {
  const complaints: string[] = []
  const { compression } = readSettings(exportSettings, { compression: option }, environmentOf(variables), (line) =>
    complaints.push(line),
  )
  return { compression: compressionFor(compression, runtime), complaints: complaints.length }
}

describe('the compression table (contract 1.3)', () => {
  it.each<[option: string | undefined, variables: Record<string, string>, runtime: HostRuntime, result: Compression]>([
    [undefined, {}, NODE, 'zlib'],
    ['none', { [TRACES]: 'gzip' }, NODE, 'none'],
    ['gzip', { [SVC]: 'none' }, NODE, 'zlib'],
    [undefined, { [SVC]: 'none' }, NODE, 'none'],
    [undefined, { [SVC]: 'gzip', [GENERAL]: 'none' }, NODE, 'zlib'],
    [undefined, { [SVC]: 'none', [TRACES]: 'gzip' }, NODE, 'none'],
    [undefined, { [TRACES]: 'none', [GENERAL]: 'gzip' }, NODE, 'none'],
    [undefined, { [GENERAL]: 'none' }, NODE, 'none'],
    [undefined, { [SVC]: ' NONE ' }, NODE, 'none'],
    [undefined, { [SVC]: ' GZIP ', [GENERAL]: 'none' }, NODE, 'zlib'],
    [undefined, {}, EDGE, 'none'],
    [undefined, { [SVC]: 'gzip' }, EDGE, 'stream'],
    ['gzip', {}, EDGE, 'stream'],
    ['gzip', {}, OLD_EDGE, 'none'],
    ['none', {}, EDGE, 'none'],
  ])('gives for option %s, %j, %j: %s', (option, variables, runtime, compression) => {
    expect(decided(option, variables, runtime)).toEqual({ compression, complaints: 0 })
  })

  it.each([
    [undefined, { [SVC]: 'brotli' }, 'zlib'],
    [undefined, { [SVC]: 'brotli', [TRACES]: 'none' }, 'none'],
    ['deflate', { [SVC]: 'none' }, 'none'],
  ])('reports and skips an unknown word: option %s, %j: %s', (option, variables, compression) => {
    expect(decided(option, variables, NODE)).toEqual({ compression, complaints: 1 })
  })
})
