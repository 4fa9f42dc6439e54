import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ledger } from '@svc/core/delivery/ledger'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { type OpenSpool, openSpool } from '@svc/core/delivery/spool/open-spool'
import { environmentOf } from '@svc/core/environment'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER_SIZE } from '../../../../core/src/delivery/spool/format.ts'
import type { SpoolEntry } from '../../../../core/src/delivery/spool/spool-file.ts'
import { batchOf } from '../../../test/support/batches.ts'
import { catchLog } from '../../../test/support/console.ts'
import { type ExportSettings, traceTarget } from '../../request.ts'
import { PROTOBUF } from '../protobuf.ts'
import { SPANS } from '../span-format.ts'

const log = catchLog()

const KEYS = { publicKey: 'pk-public-1234', secretKey: 'sk-secret-5678' }
const BASE_URL = 'https://intake.example'

let folder: string
const opened: OpenSpool[] = []
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => {
  for (const { spool } of opened.splice(0)) spool.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Opens the spool as a process with these settings does; `take` has what lies there, when it is read. */
function opening(options: Partial<ExportSettings> = {}) {
  const defaults = { ...KEYS, baseUrl: BASE_URL, spoolDir: folder }
  const settings = readSettings(exportSettings, { ...defaults, ...options }, environmentOf({}), () => {})
  const target = traceTarget(settings, PROTOBUF.contentType)
  if (!target) throw new Error('no target')
  const ledger = new Ledger(SPANS)
  let tell = () => {}
  const open = openSpool({ settings, target, ledger, noun: SPANS, onReady: () => tell() })
  if (open) opened.push(open)
  async function take(): Promise<SealedBatch | undefined> {
    // It asks to be looked at when it is opened.
    await Promise.resolve()
    const isReady = new Promise<void>((resolve) => {
      tell = resolve
    })
    const batch = open?.spool.take()
    // A file that is taken over is renamed at once, and read then.
    if (batch || !fs.readdirSync(settings.spoolDir ?? '').some((name) => name.endsWith('.open'))) return batch
    await isReady
    return open?.spool.take()
  }
  return { open, spool: open?.spool, ledger, take }
}

const files = () => fs.readdirSync(folder).map((name) => join(folder, name))

/** Leaves a batch on disk. */
function leave(options: Partial<ExportSettings> = {}, batch = batchOf(['a'], { sealedAt: performance.now() })): void {
  const { spool } = opening(options)
  spool?.end()
  spool?.put(batch)
  spool?.close()
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('the span spool', () => {
  it('is off unless a directory is configured', () => {
    expect(opening({ spoolDir: undefined }).open).toBe(undefined)
    expect([files(), log.lines()]).toEqual([[], []])
  })

  it('creates its directory for its owner only', () => {
    const spoolDir = join(folder, 'var/spool')
    expect(opening({ spoolDir }).open).toBeDefined()
    expect(fs.statSync(spoolDir).mode & 0o777).toBe(0o700)
    expect(fs.readdirSync(spoolDir)).toEqual([])
  })

  it('writes ahead only if configured', () => {
    expect(opening().open?.ahead).toBe(undefined)
    const { open } = opening({ spool: 'always' })
    open?.ahead?.write(batchOf(['a']).body, 1)
    expect(files()).toHaveLength(1)
    open?.ahead?.next()?.remove()
    expect(files()).toEqual([])
  })

  it('keeps batches of one process for the next', async () => {
    const batch = batchOf(['a', 'b'], { sealedAt: performance.now() })
    leave({}, batch)
    const { take, ledger, spool } = opening()
    const found = await take()
    expect(Buffer.compare(found?.body ?? new Uint8Array(), batch.body)).toBe(0)
    spool?.done(found?.entry as SpoolEntry)
    expect([ledger.ended, files()]).toEqual([2, []])
  })

  it('keeps spans for the configured seconds and bytes', async () => {
    leave({}, batchOf(['a'], { sealedAt: performance.now() - 3_000 }))
    const { take, ledger } = opening({ spoolMaxAge: 2 })
    expect([await take(), ledger.dropped]).toEqual([undefined, { spool: 1 }])
    leave({}, batchOf(['a'], { sealedAt: performance.now() - 3_000 }))
    expect(await opening({ spoolMaxAge: 20 }).take()).toMatchObject({ items: 1 })
    expect(opening({ spoolMaxBytes: 10 }).spool?.put(batchOf(['a']))).toBe(false)
  })

  it('names its files for host and process, without host or user in clear text', () => {
    const { spool } = opening()
    spool?.end()
    spool?.put(batchOf(['a']))
    const [name] = fs.readdirSync(folder)
    expect(name).toMatch(new RegExp(`^[0-9a-f]{8}-${process.pid}-0-\\d+-[0-9a-z]+\\.open$`))
  })
})

describe('a span spool file', () => {
  it('has hashes of URL and public key, and no credentials or address', () => {
    leave()
    const [path = ''] = files()
    const bytes = fs.readFileSync(path)
    const url = `${BASE_URL}/api/public/otel/v1/traces`
    expect(bytes.subarray(12, 20)).toEqual(sha256(url).subarray(0, 8))
    expect(bytes.subarray(20, 28)).toEqual(sha256(KEYS.publicKey).subarray(0, 8))
    const basic = Buffer.from(`${KEYS.publicKey}:${KEYS.secretKey}`).toString('base64')
    const secrets = [...Object.values(KEYS), basic, 'authorization', 'intake.example']
    const text = bytes.toString('latin1').toLowerCase()
    expect(secrets.filter((secret) => `${text}${path}`.includes(secret.toLowerCase()))).toEqual([])
    expect(bytes.length).toBeGreaterThan(HEADER_SIZE)
  })

  it('is sent with any secret key', async () => {
    leave()
    expect(await opening({ secretKey: 'sk-another' }).take()).toBeDefined()
  })

  it.each([
    ['URL', { baseUrl: 'https://other.example' }],
    ['public key', { publicKey: 'pk-other' }],
  ])('is ignored with another %s', async (_, other) => {
    leave()
    const before = files()
    expect([await opening(other).take(), files()]).toEqual([undefined, before])
  })
})

describe('a spool directory that cannot be used', () => {
  it.each([
    ['a file', 'file', 'is not a folder'],
    ['below a file', 'file/below', 'ENOTDIR'],
    ['a link to nowhere', 'link', 'is a symbolic link'],
  ])('is reported in one line, and nothing is thrown: %s', (_, name, reason) => {
    fs.writeFileSync(join(folder, 'file'), 'of somebody else')
    fs.symlinkSync('nowhere/at all', join(folder, 'link'))
    const spoolDir = join(folder, name)
    expect([opening({ spoolDir }).open, opening({ spoolDir }).open]).toEqual([undefined, undefined])
    const start = `svc: [WARN] SVC_OTEL_SPOOL_DIR=${JSON.stringify(spoolDir)} cannot be used, so nothing is kept on disk: `
    expect(log.lines().map((line) => line.slice(0, start.length))).toEqual([start])
    expect(log.lines()[0]).toContain(reason)
    expect(fs.readFileSync(join(folder, 'file'), 'utf8')).toBe('of somebody else')
  })
})

describe('two spools of one process', () => {
  it('do not interfere with each other', async () => {
    const spools = [opening(), opening({ publicKey: 'pk-other' })]
    for (const { spool } of spools) expect(spool?.put(batchOf(['a'], { sealedAt: performance.now() }))).toBe(true)
    expect([new Set(files()).size, log.lines()]).toEqual([2, []])
  })

  it("do not overwrite each other's files with batches of an earlier process", async () => {
    // Where it hits depends on the order in which the system lists the folder.
    for (const host of ['0a', '1b', '2c', '3d', '4e', '5f']) {
      const spoolDir = join(folder, host)
      const other = { publicKey: 'pk-other', spoolDir }
      leave(other)
      const [left = ''] = fs.readdirSync(spoolDir)
      fs.renameSync(join(spoolDir, left), join(spoolDir, `${host}-1-0-1-0.left`))
      const { spool } = opening({ spoolDir })
      spool?.end()
      spool?.put(batchOf(['mine'], { sealedAt: performance.now() }))
      const mine = join(spoolDir, fs.readdirSync(spoolDir).find((name) => name.endsWith('.open')) ?? '')
      const bytes = fs.readFileSync(mine)
      expect(await opening(other).take()).toMatchObject({ items: 1 })
      expect(fs.readFileSync(mine).equals(bytes)).toBe(true)
    }
  })
})
