import { checkLibrary } from './harness/library.ts'
import { MAIN, mainWay } from './harness/ways.ts'

for (const library of Object.keys(MAIN)) checkLibrary(library, mainWay(library))
