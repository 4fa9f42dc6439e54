import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const TEMPORARY = new URL('../../packages/local/dist/store/temporary.js', import.meta.url).href

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-local-temporary-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program that has this folder for what is temporary. */
const run = (program: string) =>
  runNode(['--input-type=module', '--eval', program], { env: { TMPDIR: folder }, cwd: import.meta.dirname })

it('what a service of another user left behind is in the way of none', async () => {
  const left = join(folder, `svc-local-${hostname().replace(/[^\w.-]/g, '')}-4194305-left`, 'locked')
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, 'traces.db'), '')
  chmodSync(folder, 0o777)
  chmodSync(left, 0o500)
  const program = `
    const { temporaryFile } = await import(${JSON.stringify(TEMPORARY)})
    if (process.getuid() === 0) process.setuid(65534)
    console.log(temporaryFile() !== undefined)
  `
  const { stdout, stderr } = await run(program)
  chmodSync(left, 0o700)
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' })
})

it('a process that ends without closing the service leaves nothing', async () => {
  const program = `
    import { startLocal } from '@svc/local'
    await startLocal()
    console.log(String((await import('node:fs')).readdirSync(${JSON.stringify(folder)}).length))
    process.exit()`
  const { code, stdout } = await run(program)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' })
  expect(readdirSync(folder)).toEqual([])
})

it('opening the database prints no ExperimentalWarning, and other warnings pass', async () => {
  const program = `
    import { startLocal } from '@svc/local'
    const local = await startLocal()
    process.emitWarning('another')
    await local.close()
  `
  const { stderr } = await run(program)
  expect(stderr).toMatch(/another/)
  expect(stderr).not.toMatch(/experimental/i)
})
