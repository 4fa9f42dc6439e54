import { checkLibrary } from '../harness/library.ts'

// Its newer versions cannot be required.
checkLibrary('perplexity', { kinds: ['import'] })
