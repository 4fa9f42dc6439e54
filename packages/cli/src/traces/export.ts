import type { RunCommand } from '../command.ts'
import { writeJson } from '../output.ts'
import { loadTrace } from './load-trace.ts'
import type { PlaceFlags } from './place.ts'

/** `svc traces export`: prints a trace as the file that `svc replay` and `replay()` take. */
export const run: RunCommand = async ([id = ''], flags) => {
  writeJson(process.stdout, await loadTrace(id, flags as PlaceFlags))
  return 0
}
