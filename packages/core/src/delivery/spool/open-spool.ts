import { builtin } from '../../builtin.ts'
import { hostProcess } from '../../host-process.ts'
import { messageOf, warnOnce } from '../../log.ts'
import type { Settings } from '../../setting.ts'
import type { exportSettings } from '../../settings.ts'
import { hostClock } from '../clock.ts'
import type { Ledger } from '../ledger.ts'
import type { Noun } from '../noun.ts'
import type { Target } from '../outbox-parts.ts'
import { type Owner, SpoolDirectory } from './directory.ts'
import type { SpoolIdentity } from './format.ts'
import { Spool } from './spool.ts'
import { WriteAhead } from './write-ahead.ts'

type SpoolSettings = Pick<
  Settings<typeof exportSettings>,
  'publicKey' | 'spoolDir' | 'spool' | 'spoolMaxBytes' | 'spoolMaxAge'
>

export interface OpenSpoolParts {
  readonly settings: SpoolSettings
  readonly target: Target
  readonly ledger: Ledger
  readonly noun: Noun
  /** Called when there may be something to send. */
  readonly onReady: () => void
}

/** The spool of this process, and its writer for unsealed items with `SVC_OTEL_SPOOL=always`. */
export interface OpenSpool {
  readonly spool: Spool
  readonly ahead: WriteAhead | undefined
}

/**
 * Opens the folder of `SVC_OTEL_SPOOL_DIR`. Returns undefined if the variable is not set, and logs one line if the folder
 * cannot be used.
 */
export function openSpool({ settings, target, ledger, noun, onReady }: OpenSpoolParts): OpenSpool | undefined {
  const { spoolDir, spool: mode, spoolMaxBytes, spoolMaxAge } = settings
  if (spoolDir === undefined) return undefined
  const fs = builtin('node:fs')
  const zlib = builtin('node:zlib')
  if (!fs || !zlib) return undefined
  try {
    const directory = new SpoolDirectory(spoolDir, owner(), fs)
    const segment = { fs, crc32: (bytes: Uint8Array) => zlib.crc32(bytes), identity: identityOf(settings, target) }
    const limits = { maxBytes: spoolMaxBytes, maxAgeMs: spoolMaxAge * 1_000 }
    const spool = new Spool({ ...segment, ...limits, directory, ledger, noun, clock: hostClock }, onReady)
    return { spool, ahead: mode === 'always' ? new WriteAhead(directory, noun, segment) : undefined }
  } catch (error) {
    const path = JSON.stringify(spoolDir)
    warnOnce(`SVC_OTEL_SPOOL_DIR=${path} cannot be used, so nothing is kept on disk: ${messageOf(error)}.`)
    return undefined
  }
}

function owner(): Owner {
  const os = builtin('node:os')
  const process = hostProcess()
  return {
    host: hash(`${os?.hostname()} ${pidNamespace()}`).toString('hex', 0, 4),
    pid: process?.pid ?? 0,
    thread: builtin('node:worker_threads')?.threadId ?? 0,
    // The time of day may jump.
    start: Math.round(((os?.uptime() ?? 0) - (process?.uptime() ?? 0)) * 1_000),
  }
}

/** Distinguishes containers with the same host name: each has a process 1. */
function pidNamespace(): string {
  try {
    return builtin('node:fs')?.readlinkSync('/proc/self/ns/pid') ?? ''
  } catch {
    return ''
  }
}

function identityOf({ publicKey }: SpoolSettings, { url, headers }: Target): SpoolIdentity {
  return { url: hash(url).subarray(0, 8), key: hash(publicKey ?? headers.authorization ?? '').subarray(0, 8) }
}

function hash(text: string): Buffer {
  const crypto = builtin('node:crypto')
  if (!crypto) throw new Error('no crypto')
  return crypto.createHash('sha256').update(text).digest()
}
