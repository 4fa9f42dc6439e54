import { checkLibrary } from './harness/library.ts'
import { isFramework, LIBRARIES, otherWays } from './harness/ways.ts'

/** With two copies of these early versions in one process a call is recorded twice. */
const APART = ['agents-before-turns']

for (const library of LIBRARIES.filter(isFramework)) {
  const ways = otherWays(library)
  const processes = APART.includes(library) ? ways.map((way) => [way]) : [ways]
  for (const each of processes) checkLibrary(library, each)
}
