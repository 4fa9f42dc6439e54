import { checkLibrary } from './harness/library.ts'
import { isFramework, LIBRARIES, otherWays } from './harness/ways.ts'

for (const library of LIBRARIES.filter((each) => !isFramework(each))) checkLibrary(library, otherWays(library))
