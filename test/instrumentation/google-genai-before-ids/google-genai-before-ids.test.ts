import { checkLibrary } from '../harness/library.ts'

// What they have for `require` cannot be loaded.
checkLibrary('google-genai-before-ids', { kinds: ['import'] })
