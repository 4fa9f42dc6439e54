import type { Case } from './case.ts'
import { DISK_CASES, KILL_CASES } from './disk-cases.ts'
import { END_CASES, FLUSH_CASES } from './end-cases.ts'
import { ENDPOINT_CASES } from './endpoint-cases.ts'
import { MEMORY_CASES } from './memory-cases.ts'
import { NETWORK_CASES } from './network-cases.ts'

/** In the order of the table in test/faults/README.md. */
export const ALL_CASES: readonly Case[] = [
  ...ENDPOINT_CASES,
  ...NETWORK_CASES,
  ...END_CASES,
  ...FLUSH_CASES,
  ...DISK_CASES,
  ...KILL_CASES,
  ...MEMORY_CASES,
]
