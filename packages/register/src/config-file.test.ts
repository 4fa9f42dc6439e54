import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfigFile } from './config-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-config-'))
const lines: string[] = []
function load(name: string, source?: string) {
  lines.length = 0
  const path = join(folder, name)
  if (source !== undefined) writeFileSync(path, source)
  return loadConfigFile(path, (line) => lines.push(line))
}

describe('SVC_CONFIG_FILE', () => {
  it.each([
    ['config.mjs', 'export default { release: "r1", mask: ({ data }) => data }'],
    ['named.mjs', 'export const release = "r1"\nexport const mask = ({ data }) => data'],
    ['config.cjs', 'module.exports = { release: "r1", mask: ({ data }) => data }'],
  ])('reads %s', (name, source) => {
    expect(load(name, source)).toMatchObject({ release: 'r1', mask: expect.any(Function) })
    expect(lines).toEqual([])
  })

  it('warns about an unknown key with the known ones', () => {
    load('typo.mjs', 'export default { maks: () => "" }')
    expect(lines).toEqual([expect.stringMatching(/"maks" is not an option.*Known: .*mask/)])
  })

  it.each([
    ['missing.mjs', undefined, /cannot be loaded, so nothing is traced .*Cannot find module/],
    ['throws.mjs', 'throw new Error("boom")', /nothing is traced .*boom/],
    ['awaits.mjs', 'await 1; export default {}', /nothing is traced .*(await|async)/i],
    ['number.mjs', 'export default 5', /its default export is not an object/],
  ])('stops tracing without %s, which may contain a mask', (name, source, message) => {
    expect(load(name, source)).toBeUndefined()
    expect(lines).toEqual([expect.stringMatching(message)])
  })
})
