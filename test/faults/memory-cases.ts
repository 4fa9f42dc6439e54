import { execFileSync } from 'node:child_process'
import type { Case } from './case.ts'
import { counted, NOWHERE, type Result, type Run, run, type Variant } from './run.ts'

const SECONDS = 120
const PER_SECOND = 3_000
const SPANS = SECONDS * PER_SECOND
const HEAP_MB = 128
/** On large machines Node lets the young generation grow to a multiple, whatever fills it. */
const FLAGS = [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=16']
/** What else tracing may take: its code, and the batch that is being filled. */
const BESIDE_MB = 30

const flood: Run = {
  plan: { make: { spans: SPANS, perSecond: PER_SECOND, size: 'llm' }, end: 'telling its memory' },
  flags: FLAGS,
}

async function floods(variant: Variant): Promise<Result> {
  const result = await counted(await run(variant, NOWHERE, flood), NOWHERE)
  if (variant !== 'svc' || result.code !== 0) return result
  const without = await run(variant, NOWHERE, { ...flood, env: { SVC_TRACING_ENABLED: 'false' } })
  const more = memoryOf(result.stdout) - memoryOf(without.stdout)
  const mayWait = mayWaitMb()
  const isTooMuch = more > mayWait + BESIDE_MB
  const note = `${more} MB more than without tracing, of which ${mayWait} may wait`
  return { ...result, note, ...(isTooMuch && { code: null }) }
}

/** 64 MiB, or a quarter of what this Node allows such a heap. */
function mayWaitMb(): number {
  const script = 'require("node:v8").getHeapStatistics().heap_size_limit'
  const limit = Number(execFileSync(process.execPath, [...FLAGS, '-p', script], { encoding: 'utf8' }))
  return Math.min(64, Math.round(limit / 4 / 1_048_576))
}

function memoryOf(stdout: string): number {
  return Number(/^memory (\d+)$/m.exec(stdout)?.[1])
}

export const MEMORY_CASES: readonly Case[] = [
  {
    group: 'Memory',
    name: `nothing listens for ${SECONDS / 60} min, ${PER_SECOND.toLocaleString('en')} LLM spans/s, a heap of ${HEAP_MB} MB`,
    expected: { lost: SPANS },
    run: floods,
    isSlow: true,
  },
]
