import { checkLibrary } from '../harness/library.ts'

// How it is loaded differs as in the newest version.
checkLibrary('ai-7-first', { kinds: ['import'] })
