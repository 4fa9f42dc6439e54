import { startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'
import { app, cwd } from './apps.ts'

type End = Partial<Record<'code' | 'spans', number> & Record<'printed', string>> & {
  readonly signal?: NodeJS.Signals
}

/**
 * Ways to end, in `apps/end.mjs`: how Node ends such a process, and how many spans it has made. These need the whole
 * preload; `core/` and `faults/` have the plain ones.
 */
export const WAYS: Readonly<Record<string, End>> = {
  'without settling': { code: 13 },
  'by signal, handler makes a last call': { code: 7, spans: 2 },
  'by signal, handler sends it again': { signal: 'SIGTERM' },
  'by signal, with a call under way': { spans: 2 },
  'naturally, after cleaning up': { printed: 'asked\ncleaned up 1 times\n' },
  'with a rejection': { code: 1 },
}

/** The further ways, each of which `core/` has as well. */
export const MORE_WAYS: Readonly<Record<string, End>> = {
  naturally: {},
  'with exitCode 3': { code: 3 },
  'by signal, unhandled': { signal: 'SIGTERM' },
  'by signal, handled': {},
  'by signal, handler exits 0': {},
  'by signal, handler exits with exitCode': { code: 3 },
  'by signal, exit listener has the last word': { code: 7 },
  'by signal, handler exits on the second': { code: 5 },
  'by signal, handler tries what is no exit code': { code: 4 },
  'by signal, handled once and first in line': {},
  'with a throw': { code: 1 },
}

export const ALL_WAYS: Readonly<Record<string, End>> = { ...WAYS, ...MORE_WAYS }

/** How Node ends a process that ends this way. */
export function expectedEnd(way: string) {
  const { code = 0, signal = null, printed = 'asked\n' } = ALL_WAYS[way] ?? {}
  return { code: signal ? null : code, signal, stdout: printed, failed: /throw|rejection/.test(way) }
}

/** Runs one way to end, sends a signal where it waits for one once the model has answered, and tells how it ended. */
export async function end(preload: readonly string[], way: string, { env }: Service, sent: NodeJS.Signals = 'SIGTERM') {
  const program = startNode([...preload, app('end.mjs'), way], { cwd, env: { ...env, SVC_RELEASE: way } })
  await program.printed(/asked/)
  if (way.startsWith('by signal')) program.kill(sent)
  const { code, signal, stdout, stderr } = await program.ended
  return { code, signal, stdout, failed: stderr.includes('the application failed') }
}
